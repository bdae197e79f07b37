import { describe, expect, it } from 'vitest';
import { ACTION_NAME, allWorkflows, readText } from './files.ts';
import { actionlint, findActionlint, languageService } from './linters.ts';

const [, readme = ''] = /^```yaml\n([^]*?)^```$/m.exec(await readText('README.md')) ?? [];
const files = [...(await allWorkflows()), { path: 'README.md.yml', text: readme }];
const ACTIONS = ['action.yml', 'emulator/action.yml'];

/** A workflow with one step, for mistakes that a linter must find. */
const withStep = (...lines: readonly string[]): string =>
  `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - ${lines.join('\n        ')}\n`;

describe("GitHub's language service", async () => {
  const lint = await languageService();

  it('finds nothing wrong with any workflow, nor with that of the README', async () => {
    expect(files.length).toBeGreaterThan(15);
    expect(readme).toContain('api-key: ${{ secrets.COMPLIANCE_API_KEY }}');
    expect((await Promise.all(files.map(async ({ path, text }) => await lint(path, text)))).flat()).toEqual([]);
  });

  it.each(ACTIONS)('finds nothing wrong with %s', async (path) => {
    expect(await lint(path, await readText(path))).toEqual([]);
  });

  it.each([
    [`${ACTION_NAME}@v0`, 'api-kee'],
    ['actions/checkout@v7', 'reff'],
  ])('would find an unknown input of %s', async (action, input) => {
    const found = await lint('examples/workflows/bad.yml', withStep(`uses: ${action}`, 'with:', `  ${input}: x`));
    expect(found).toEqual([expect.stringContaining(`:8 Invalid action input '${input}'`)]);
  });

  it('would find a wrong input of the reusable workflow', async () => {
    const text = await readText('examples/workflows/organisation-caller.yml');
    expect(await lint('caller.yml', text.replace('files: media', 'fils: media'))).toEqual([
      expect.stringContaining('files'),
      expect.stringContaining('fils'),
    ]);
  });

  it('would find a mistake in action.yml', async () => {
    const text = (await readText('action.yml')).replace('main: dist/index.js', 'mane: dist/index.js');
    expect((await lint('action.yml', text)).join('\n')).toMatch(/mane/);
  });
});

const program = findActionlint();
describe.skipIf(!program)('actionlint', () => {
  const lint = actionlint(program ?? '');

  it('finds nothing wrong with any workflow', async () => {
    expect((await Promise.all(files.map(async ({ path, text }) => await lint(path, text)))).flat()).toEqual([]);
  });

  it('would find text from outside in a script', async () => {
    const found = await lint('bad.yml', withStep('run: echo "${{ github.event.pull_request.title }}"'));
    expect(found).toEqual([expect.stringContaining('untrusted')]);
  });
});

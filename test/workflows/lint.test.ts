import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../scripts/find-program.ts';
import { allWorkflows, ROOT, readText } from './files.ts';

const program = findProgram('ACTIONLINT', ['actionlint']);

describe.skipIf(!program)('actionlint', () => {
  it('finds nothing wrong with any workflow, nor with that of the README', async () => {
    const [, readme = ''] = /^```yaml\n([^]*?)^```$/m.exec(await readText('README.md')) ?? [];
    expect(readme).toContain('api-key: ${{ secrets.COMPLIANCE_API_KEY }}');
    const files = [...(await allWorkflows()), { path: 'README.md.yml', text: readme }];
    expect(files.length).toBeGreaterThan(15);
    expect((await Promise.all(files.map(lint))).flat()).toEqual([]);
  });
});

/** Returns one line for each problem of the file. */
async function lint({ path, text }: { readonly path: string; readonly text: string }): Promise<readonly string[]> {
  // shellcheck and pyflakes are switched off, because not every machine has them.
  const options = ['-shellcheck=', '-pyflakes=', '-oneline', '-no-color', '-stdin-filename', path, '-'];
  const child = spawn(program ?? '', options, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(text);
  return (await readAll(child.stdout)).split('\n').filter(Boolean);
}

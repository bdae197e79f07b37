import { describe, expect, it } from 'vitest';
import { ACTION_NAME, allWorkflows, isGate, stepsOf, type WorkflowFile, workflowFile } from './files.ts';
import { EXAMPLE_RULES, RULES } from './rules.ts';

const files = await allWorkflows();

/** A workflow that keeps every rule. */
const GOOD = `on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
permissions: {}
concurrency:
  group: media-\${{ github.event.pull_request.number || github.ref }}
jobs:
  a:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: read
      actions: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - id: gate
        uses: ${ACTION_NAME}@v0
        with:
          files: media/**
          state-key: \${{ secrets.COMPLIANCE_STATE_KEY }}
      - run: npm test "$VERDICT"
        env:
          VERDICT: \${{ steps.gate.outputs.verdict }}
`;
const changed = (from: string, to: string): WorkflowFile => {
  expect(GOOD).toContain(from);
  return workflowFile('.github/workflows/bad.yml', GOOD.replace(from, to));
};

describe('every workflow', () => {
  it.each(Object.entries(RULES))('%s', (_name, rule) => {
    expect(files.flatMap((file) => rule(file).map((problem) => `${file.path}: ${problem}`))).toEqual([]);
  });

  it('uses one commit of each action, the same everywhere', () => {
    const uses = files.flatMap(({ text }) => [...text.matchAll(/^[\s-]*uses: (.*)$/gm)]);
    // Parts of one repository share its commit: `owner/name/part@commit` is `owner/name@commit`.
    const pins = new Set(uses.map(([, used = '']) => used.replace(/^([\w-]+\/[\w-]+)\/[\w./-]+@/, '$1@')));
    const byRepository = Map.groupBy(pins, (pin) => pin.replace(/@.*/, ''));
    expect([...byRepository.values()].filter((variants) => variants.length > 1)).toEqual([]);
  });
});

describe('every example', () => {
  const examples = files.filter(({ path }) => path.startsWith('examples/'));

  it.each(Object.entries(EXAMPLE_RULES))('%s', (_name, rule) => {
    expect(examples.flatMap((file) => rule(file).map((problem) => `${file.path}: ${problem}`))).toEqual([]);
  });

  it('has its optional blocks among the workflows that are checked', () => {
    const variants = examples.map(({ path }) => path.split('/').pop()).filter((name) => name?.includes('+'));
    expect(variants).toEqual([
      'pull-request+merge-queue.yml',
      'pull-request+nightly.yml',
      'pull-request+code-scanning.yml',
      'pull-request+merge-queue+nightly+code-scanning.yml',
    ]);
  });
});

it('organisation-required.yml: no variable of a repository weakens the gate', () => {
  const gate = files
    .filter(({ path }) => path.endsWith('organisation-required.yml'))
    .flatMap(stepsOf)
    .find(isGate);
  const fromOutside = Object.entries(gate?.with ?? {}).filter(([, value]) => String(value).includes('${{'));
  expect(fromOutside.map(([name]) => name)).toEqual(['api-key', 'files', 'state-key']);
  expect(gate?.with).toMatchObject({
    'dry-run': false,
    'fail-on-severity': 'CRITICAL',
    'fail-on-issues': 'all',
    'on-service-error': 'error',
    'if-no-api-key': 'error',
  });
});

describe('the rules', () => {
  it('are all kept by a good workflow', () => {
    const good = workflowFile('.github/workflows/good.yml', GOOD);
    expect(Object.values({ ...RULES, ...EXAMPLE_RULES }).flatMap((rule) => rule(good))).toEqual([]);
  });

  it.each([
    ['grants nothing at the top', changed('permissions: {}\n', 'permissions: read-all\n')],
    ['grants nothing at the top', changed('    permissions:\n      contents', '    env:\n      contents')],
    ['lets each gate read', changed('      actions: read\n', '')],
    ['gives every job', changed('    timeout-minutes: 5\n', '')],
    ['gives each action only inputs', changed('files: media', 'fils: media')],
    ['gives each action only inputs', changed('persist-credentials', 'persist-credential')],
    ['reads only outputs', changed('outputs.verdict', 'outputs.verdikt')],
    ['runs no code', changed('  pull_request:', '  workflow_run:')],
    ['names its files', changed('          files: media/**\n', '')],
    ['runs when a pull request gets another base', changed(', edited]', ']')],
    ['signs its state', changed('secrets.COMPLIANCE_STATE_KEY', 'secrets.COMPLIANCE_API_KEY')],
    ['does not run twice', changed('github.event.pull_request.number || github.ref', 'github.ref')],
    ['recognises forks', changed('npm test', 'npm test # github.event.pull_request.head.repo.fork')],
  ])('would notice: %s', (name, bad) => {
    const [rule] = Object.entries({ ...RULES, ...EXAMPLE_RULES }).filter(([title]) => title.startsWith(name));
    expect(rule?.[1](bad)).not.toEqual([]);
  });
});

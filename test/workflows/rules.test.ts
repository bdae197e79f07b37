import { describe, expect, it } from 'vitest';
import { allWorkflows, type WorkflowFile, workflowFile } from './files.ts';
import { RULES, unknownOutputs, usesIn } from './rules.ts';

const files = await allWorkflows();

/** A job that keeps every rule, with one thing changed. */
const GOOD = `on: pull_request
permissions: {}
jobs:
  a:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: read # check out the files
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - id: gate
        uses: your-org/media-compliance-gate@v0
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

  it('reads only outputs that the action has', async () => {
    const unknown = await Promise.all(files.map(unknownOutputs));
    expect(unknown.flat()).toEqual([]);
    expect(await unknownOutputs(changed('outputs.verdict', 'outputs.verdikt'))).toEqual(['steps.gate.outputs.verdikt']);
  });

  it('uses one commit of each action, the same everywhere', () => {
    const pins = new Set(files.flatMap(({ text }) => usesIn(text)).map(repositoryPin));
    const byRepository = Map.groupBy(pins, (pin) => pin.replace(/@.*/, ''));
    expect([...byRepository.values()].filter((variants) => variants.length > 1)).toEqual([]);
  });
});

describe('the rules', () => {
  it('are all kept by a good workflow', () => {
    const good = workflowFile('.github/workflows/good.yml', GOOD);
    expect(Object.values(RULES).flatMap((rule) => rule(good))).toEqual([]);
  });

  it.each([
    ['grants nothing at the top', changed('permissions: {}\n', '')],
    ['grants nothing at the top', changed('permissions: {}\n', 'permissions: read-all\n')],
    ['grants nothing at the top', changed('    permissions:\n      contents: read # check out the files\n', '')],
    ['says of each permission', changed(' # check out the files', '')],
    ['pins other actions', changed('3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1', 'v7.0.1')],
    ['pins other actions', changed(' # v7.0.1', '')],
    ['puts no expression', changed('"$VERDICT"', '${{ steps.gate.outputs.verdict }}')],
    ['gives every job', changed('    timeout-minutes: 5\n', '')],
    ['says of each checkout', changed('          persist-credentials: false\n', '          lfs: true\n')],
    ['runs no code', changed('on: pull_request', 'on: { workflow_run: { workflows: [a], types: [completed] } }')],
    ['never runs on', changed('on: pull_request', 'on: [push, pull_request_target]')],
  ])('would notice: %s', (name, bad) => {
    const [rule] = Object.entries(RULES).filter(([title]) => title.startsWith(name));
    expect(rule?.[1](bad)).not.toEqual([]);
  });
});

/** Parts of one repository share its commit: `owner/name/part@commit` is `owner/name@commit`. */
function repositoryPin(uses: string): string {
  return uses.replace(/^([\w-]+\/[\w-]+)\/[\w./-]+@/, '$1@');
}

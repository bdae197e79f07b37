import { expect } from 'vitest';
import type { Runner } from '../src/github/runner.ts';
import { OUTPUTS } from '../src/publish/outputs.ts';
import { run } from '../src/run.ts';
import { it } from './harness/fixtures.ts';

type Call = 'input' | 'annotate' | 'discover';

/** A runner that breaks at one call, and what it was told. */
function listen(breaks: Call) {
  const [lines, failures, shown]: [string[], string[], string[]] = [[], [], []];
  const outputs = new Map<string, string>();
  const breakAt = (call: Call, isNow = true): void => {
    if (call === breaks && isNow) throw new TypeError('It is undefined.');
  };
  const record = (text: string): void => {
    breakAt('discover', text.endsWith('to check'));
    lines.push(text);
  };
  const runner: Runner = {
    log: { info: record, notice: record, warning: record, group: async (_, work) => await work() },
    spent: { error: 0, warning: 0, notice: 0 },
    input: (name) => {
      breakAt('input', name === 'files');
      return name === 'dry-run' && breaks === 'discover' ? 'true' : '';
    },
    mask: () => {},
    hasArtifacts: false,
    saveForPost: () => {},
    annotate: ({ message }) => {
      breakAt('annotate');
      shown.push(message);
    },
    output: (name, value) => void outputs.set(name, value),
    writeSummary: async (markdown) => void shown.push(markdown),
    fail: (message) => void failures.push(message),
  };
  return { runner, lines, outputs, failures, shown };
}

it.for<Call>(['input', 'annotate', 'discover'])(
  'a defect of the action (%s) is an error with every output; only its message is shown, its stack is in the log',
  async (breaks, { makeFolder }) => {
    const { runner, lines, outputs, failures, shown } = listen(breaks);
    const env = { RUNNER_TEMP: await makeFolder(), GITHUB_WORKSPACE: await makeFolder({ 'README.md': '' }) };
    await run(env, runner, new AbortController().signal);
    expect([...outputs.keys()].toSorted()).toEqual(Object.keys(OUTPUTS).toSorted());
    expect([outputs.get('verdict'), outputs.get('reason')]).toEqual(['error', 'internal']);
    expect([outputs.get('critical-count'), outputs.get('files-matched')]).toEqual(['0', '0']);
    expect(failures).toEqual([expect.stringContaining('The action itself failed: It is undefined.')]);
    expect([...shown, ...failures].join()).not.toContain('run.test.ts');
    expect(lines).toContainEqual(expect.stringMatching(/^ +at .*run\.test\.ts/));
  },
);

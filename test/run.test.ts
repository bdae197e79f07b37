import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runner } from '../src/github/runner.ts';
import { OUTPUT_NAMES } from '../src/publish/outputs.ts';
import { run } from '../src/run.ts';

interface Heard {
  readonly runner: Runner;
  readonly lines: string[];
  readonly outputs: Map<string, string>;
  readonly failures: string[];
  readonly annotations: string[];
  readonly summaries: string[];
}

/** A runner that breaks at one call. */
function listen(breaks: 'input' | 'annotate' | 'discover'): Heard {
  const recorded = { lines: [], outputs: new Map(), failures: [], annotations: [], summaries: [] };
  const { lines, outputs, failures, annotations, summaries }: Omit<Heard, 'runner'> = recorded;
  const record = (text: string): void => void lines.push(text);
  const runner: Runner = {
    log: {
      info: (text) => {
        if (breaks === 'discover' && text.endsWith('to check')) throw new TypeError('It is undefined.');
        record(text);
      },
      notice: record,
      warning: record,
      group: async (_, work) => await work(),
    },
    spent: { error: 0, warning: 0, notice: 0 },
    input: (name) => {
      if (breaks === 'input' && name === 'files') throw new TypeError('It is undefined.');
      return name === 'dry-run' && breaks === 'discover' ? 'true' : '';
    },
    mask: () => {},
    hasArtifacts: false,
    saveForPost: () => {},
    annotate: ({ message }) => {
      if (breaks === 'annotate') throw new TypeError('It is undefined.');
      annotations.push(message);
    },
    output: (name, value) => void outputs.set(name, value),
    writeSummary: async (markdown) => void summaries.push(markdown),
    fail: (message) => void failures.push(message),
  };
  return { ...recorded, runner };
}

describe.each(['input', 'annotate'] as const)('a defect of the action: %s', async (breaks) => {
  const recorded = listen(breaks);
  const temp = await mkdtemp(path.join(tmpdir(), 'run-'));
  await run({ RUNNER_TEMP: temp }, recorded.runner, new AbortController().signal);
  await rm(temp, { recursive: true });

  it('is reported by its message; its stack is only in the log', () => {
    expect(recorded.failures).toEqual([expect.stringMatching(/^The action itself failed: It is undefined\.$/)]);
    expect([...recorded.summaries, ...recorded.annotations].join()).not.toContain('run.test.ts');
    expect(recorded.lines).toContainEqual(expect.stringMatching(/^ +at .*run\.test\.ts/));
  });

  it('sets every output', () => {
    expect([...recorded.outputs.keys()].toSorted()).toEqual(OUTPUT_NAMES.toSorted());
    expect(recorded.outputs.get('verdict')).toBe('error');
    expect(recorded.outputs.get('reason')).toBe('internal');
  });
});

it('a defect in a step is the verdict, with its stack in the log', async () => {
  const { runner, outputs, lines } = listen('discover');
  const workspace = await mkdtemp(path.join(tmpdir(), 'run-'));
  await writeFile(path.join(workspace, 'README.md'), '');
  const temp = await mkdtemp(path.join(tmpdir(), 'run-'));
  await run({ RUNNER_TEMP: temp, GITHUB_WORKSPACE: workspace }, runner, new AbortController().signal);
  await Promise.all([temp, workspace].map(async (folder) => await rm(folder, { recursive: true })));
  expect([outputs.get('verdict'), outputs.get('reason')]).toEqual(['error', 'internal']);
  expect(lines).toContainEqual(expect.stringMatching(/^ +at .*run\.test\.ts/));
});

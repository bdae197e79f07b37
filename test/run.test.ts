import { readFile } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import type { Runner } from '../src/github/runner.ts';
import { OUTPUTS } from '../src/publish/publish.ts';
import { run } from '../src/run.ts';
import { Waivers } from '../src/waivers/waivers.ts';
import { recordRunner } from './builders/runners.ts';
import { CRITICAL, it, ONE_FILE } from './harness/fixtures.ts';

type Call = 'input' | 'annotate' | 'discover';

/** A runner that breaks at one call, and what it was told. */
function listen(breaks: Call) {
  const recorded = recordRunner({ 'dry-run': breaks === 'discover' ? 'true' : '' });
  const breakAt = (call: Call, isNow = true): void => {
    if (call === breaks && isNow) throw new TypeError('It is undefined.');
  };
  const { log, input, annotate } = recorded.runner;
  const runner: Runner = {
    ...recorded.runner,
    log: {
      ...log,
      info: (text) => {
        breakAt('discover', text.endsWith('to check'));
        log.info(text);
      },
    },
    input: (name) => {
      breakAt('input', name === 'files');
      return input(name);
    },
    annotate: (annotation) => {
      breakAt('annotate');
      annotate(annotation);
    },
  };
  return { ...recorded, runner };
}

it.for<Call>(['input', 'annotate', 'discover'])(
  'a defect of the action (%s) is an error with every output; only its message is shown, its stack is in the log',
  async (breaks, { makeFolder }) => {
    const { runner, lines, outputs, failures, shown } = listen(breaks);
    const env = { RUNNER_TEMP: await makeFolder(), GITHUB_WORKSPACE: await makeFolder({ 'README.md': '' }) };
    await run(env, runner, new AbortController().signal);
    expect([...outputs.keys()].toSorted()).toEqual(Object.keys(OUTPUTS).toSorted());
    expect([outputs.get('verdict'), outputs.get('reason')]).toEqual(['error', 'internal']);
    expect(failures).toEqual([expect.stringContaining('The action itself failed: It is undefined.')]);
    expect([...shown, ...failures].join()).not.toContain('run.test.ts');
    expect(lines).toContainEqual(expect.stringMatching(/^ +at .*run\.test\.ts/));
  },
);

it('a run saves what it has read before it judges: a defect in judging loses nothing that was paid for', async ({
  emulator,
  makeFolder,
}) => {
  const service = emulator.workspace({ scenario: CRITICAL });
  const workspace = await makeFolder({ ...ONE_FILE, 'waivers.yml': '[]' });
  const access = { 'api-key': service.key, 'base-url': service.baseUrl };
  const inputs = { ...access, files: '*.png', 'waivers-file': 'waivers.yml', 'state-file': 'state.json' };
  const outputsOf = async () => {
    const { runner, outputs } = recordRunner(inputs);
    const env = { RUNNER_TEMP: await makeFolder(), GITHUB_WORKSPACE: workspace };
    await run(env, runner, new AbortController().signal);
    return Object.fromEntries(outputs);
  };
  const judging = vi.spyOn(Waivers.prototype, 'decide').mockImplementation(() => {
    throw new TypeError('a defect');
  });
  expect(await outputsOf()).toMatchObject({ verdict: 'error', reason: 'internal' });
  judging.mockRestore();
  expect(await readFile(`${workspace}/state.json`, 'utf8')).toContain('analysed');
  expect(await outputsOf()).toMatchObject({ verdict: 'fail', 'files-submitted': '0', 'files-reused': '1' });
  expect(service.submissions).toHaveLength(1);
});

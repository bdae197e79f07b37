import path from 'node:path';
import { afterEach, describe, expect, vi } from 'vitest';
import { uploadArtifact } from '../../src/github/artifacts.ts';
import { readContext } from '../../src/github/context.ts';
import type { ContentRecord } from '../../src/state/document.ts';
import { artifactNames } from '../../src/state/gate-id.ts';
import { artifactStorage } from '../../src/state/save-artifacts.ts';
import { type Binding, seal, signingKey, stateIn } from '../../src/state/seal.ts';
import { artifactApi, listed } from '../builders/github.ts';
import { recordRunner } from '../builders/runners.ts';
import { analysed, binding, document, open } from '../builders/states.ts';
import type { ArtifactOptions, Trouble } from '../harness/artifact-service.ts';
import { it as base } from '../harness/fixtures.ts';

const INPUTS = { name: 'gate', reuseDays: 365, dryRun: false } as const;

const refuse = async (): Promise<never> => await Promise.reject(new Error('asked'));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const it = base.extend('openRun', ({ startArtifacts, makeFolder }) => async (world: ArtifactOptions = {}) => {
  const service = await startArtifacts(world);
  const { artifacts, archives } = service;
  // The artifact client writes every step to the log.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const key = signingKey('the key of the gate');
  const temp = await makeFolder({});
  const api = artifactApi(() =>
    artifacts.map(({ id, name }) => ({ artifact: listed(42, { id, name }), archive: () => archives[id] })),
  );
  /** A step of run 42, which saves these contents, joined with what the run has saved before. */
  const begin = (attempt: number) => {
    for (const [name, value] of Object.entries(service.envOf('42', attempt))) vi.stubEnv(name, value);
    const ours = binding({ runAttempt: attempt });
    const { runner, lines } = recordRunner();
    const context = { ...readContext({}), temp };
    const search = { pullRequest: refuse, pullRequestsOf: refuse, ...api };
    const step = artifactStorage({
      binding: ours,
      keys: [key],
      inputs: INPUTS,
      context,
      runner,
      api: search,
      base: undefined,
    });
    const save = async (kind: Binding['kind'], contents: readonly ContentRecord[]): Promise<string> =>
      await step.save((others) => {
        const joined = [...contents, ...others.flatMap((each) => each.contents)];
        return seal(document({ contents: joined }), { ...ours, kind }, key);
      }, kind);
    return { save, lines };
  };
  /** What each artifact holds, by the last word of its name and the seeds of its contents. */
  const stored = (): readonly string[] =>
    artifacts
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, name }) => {
        const payload = JSON.parse(Buffer.from(stateIn(archives[id] ?? new Uint8Array()) ?? []).toString()).payload;
        const names: readonly { name: string }[] = JSON.parse(payload).document.contents;
        const seeds = new Set(names.map((each) => each.name.replace(/-.*/, '')));
        return [name.split('-')[1], ...[...seeds].toSorted()].join(' ');
      });
  return { ...service, begin, stored };
});

describe.each([
  ['refuses', false],
  ['accepts', true],
])('GitHub %s a name in a re-run that an earlier attempt has used:', (_, isFreeInRerun) => {
  it('two saves a run, each under its name; a re-run joins what it overwrites, and is no other gate', async ({
    openRun,
  }) => {
    const { begin, stored, created } = await openRun({ isFreeInRerun });
    const first = begin(1);
    await first.save('open', open('s', ['a']));
    await first.save('state', [analysed('b')]);
    expect(stored()).toEqual(['open a', 'state b']);
    const again = begin(2);
    await again.save('open', open('s', ['c']));
    expect(stored()).toEqual(['state b', 'open a b c']);
    await again.save('state', [analysed('d')]);
    expect(stored()).toEqual(['open a b c', 'state a b d']);
    expect([...first.lines, ...again.lines]).toEqual([]);
    expect(created.every(({ days }) => days === 365)).toBe(true);
  });

  it('another step of the run has saved: both are kept, with a warning', async ({ openRun }) => {
    const { begin, stored } = await openRun({ isFreeInRerun });
    const [one, two] = [begin(1), begin(1)];
    await one.save('open', open('s', ['a']));
    await two.save('open', open('s', ['b']));
    await one.save('state', [analysed('c')]);
    await two.save('state', [analysed('d')]);
    expect(stored()).toEqual(['open a b', 'state a b c d']);
    expect(two.lines).toContainEqual(expect.stringContaining('a `name` of its own'));
  });

  it('a name that stays taken after its artifact was deleted makes the run use another', async ({ openRun }) => {
    const { begin, stored } = await openRun({
      isFreeInRerun,
      trouble: (step) => (step === 'DeleteArtifact' ? 'lingers' : undefined),
    });
    await begin(1).save('state', [analysed('a')]);
    await begin(1).save('state', [analysed('b')]);
    expect(stored()).toEqual(['pull a b']);
  });
});

const FIRST_UNFINISHED: Trouble = (step, nth) => (step === 'FinalizeArtifact' && nth === 1 ? 400 : undefined);

it('an unfinished upload blocks its name: the run uses another', async ({ openRun }) => {
  const { begin, stored } = await openRun({ trouble: FIRST_UNFINISHED });
  await expect(begin(1).save('open', open('s', ['a']))).rejects.toThrow('400');
  await begin(2).save('open', open('s', ['a']));
  expect(stored()).toEqual(['state a']);
});

it('what a stranger has saved under the name is overwritten', async ({ openRun, makeFolder }) => {
  const { begin, stored } = await openRun();
  const { save } = begin(1);
  const files = [path.join(await makeFolder({ 'state.json': 'hello' }), 'state.json')];
  await uploadArtifact({ name: artifactNames('gate', binding()).state, files, retentionDays: 7 });
  await save('state', [analysed('a')]);
  expect(stored()).toEqual(['state a']);
});

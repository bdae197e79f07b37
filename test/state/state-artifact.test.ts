import { afterEach, expect, vi } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import type { ContentRecord, StateDocument } from '../../src/state/document.ts';
import { type Binding, type SavedState, seal, signingKey } from '../../src/state/seal.ts';
import { findReplaceable, type StateOptions, stateArtifacts } from '../../src/state/state-artifact.ts';
import { artifactApi, listed } from '../builders/github.ts';
import { recordRunner } from '../builders/runners.ts';
import { analysed, binding, daysAgo, document, failed, open } from '../builders/states.ts';
import { it } from '../harness/fixtures.ts';

const KNOWN = [analysed('a')];
const OPEN = open('submission-1', ['a']);
const OTHER = [analysed('b')];
const NEWER = { submissionId: 'submission-2', at: daysAgo(0) };
const NEWER_KNOWN = [analysed('a', NEWER)];
const BEFORE_LOSS = [analysed('a', { ...NEWER, isLost: true }), ...KNOWN];

it.for<[string, Readonly<Record<string, SavedState>>, string | undefined]>([
  ['an open record, if another artifact has its result', { one: saved(OPEN, 'open'), two: saved(KNOWN) }, 'one'],
  ['one whose records another has', { one: saved(KNOWN), two: saved([...KNOWN, ...OTHER]) }, 'one'],
  ['an open one first', { one: saved(KNOWN), two: saved(KNOWN, 'open') }, 'two'],
  ['an empty one', { one: saved(KNOWN), two: saved([]) }, 'two'],
  ['never the analysis, but its open record', { one: saved(KNOWN), two: saved(OPEN, 'open') }, 'two'],
  ['a failure, if another has a newer one', { one: saved([failed('a', NEWER)]), two: saved([failed('a')]) }, 'two'],
  ['an analysis, if another has a newer one', { one: saved(NEWER_KNOWN), two: saved(KNOWN) }, 'two'],
  ['never an analysis behind a lost one', { one: saved(BEFORE_LOSS), two: saved(NEWER_KNOWN) }, 'two'],
  ['none that alone has a record', { one: saved(KNOWN), two: saved(OTHER) }, undefined],
  ['none whose analysis another calls failed', { one: saved(KNOWN), two: saved([failed('a'), ...OTHER]) }, undefined],
  ['none, if there is no other', { one: saved(KNOWN) }, undefined],
])('of the artifacts of a run, the one that can be deleted is %s', ([, taken, name]) => {
  expect(findReplaceable(new Map(Object.entries(taken)))).toBe(name);
});

function saved(contents: ContentRecord[], kind: Binding['kind'] = 'state'): SavedState {
  return { binding: binding({ kind }), document: document({ contents }) };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('a state that gets another name is joined with the one that has its own; each kind is kept for its time', async ({
  startArtifacts,
  makeFolder,
}) => {
  const { artifacts, archives, created, envOf } = await startArtifacts();
  for (const [name, value] of Object.entries(envOf('42'))) vi.stubEnv(name, value);
  // The artifact client writes every step to the log.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const key = signingKey('the key of the gate');
  const options: StateOptions = {
    binding: binding(),
    keys: [key],
    inputs: { name: 'gate', comment: 'never', reuseDays: 365 },
    context: { ...readContext({}), temps: [await makeFolder({})] },
    runner: recordRunner().runner,
    canReuse: true,
    api: {
      ...artifactApi(() =>
        artifacts.map(({ id, name }) => ({ artifact: listed(42, { id, name }), archive: () => archives[id] })),
      ),
      pullRequest: async () => await Promise.reject(new Error('asked')),
      pullRequestsOf: async () => [],
    },
  };
  let joined: readonly StateDocument[] = [];
  for (const contents of [KNOWN, OTHER])
    await stateArtifacts(options).save((others) => {
      joined = others;
      return seal(document({ contents }), binding(), key);
    }, 'state');
  expect(joined).toEqual([document({ contents: KNOWN })]);
  expect(artifacts).toHaveLength(2);
  await stateArtifacts(options).save(() => seal(document(), binding(), key), 'open');
  expect(created.map(({ days }) => days)).toEqual([365, 365, 7]);
});

import { zipSync } from 'fflate';
import { afterEach, expect, vi } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import type { ContentRecord, StateDocument } from '../../src/state/document.ts';
import { type Binding, MAX_STATE_BYTES, type SavedState, seal, signingKey } from '../../src/state/seal.ts';
import { findReplaceable, type StateOptions, stateArtifacts, stateIn } from '../../src/state/state-artifact.ts';
import { artifactApi, listed } from '../builders/github.ts';
import { recordRunner } from '../builders/runners.ts';
import { analysed, binding, daysAgo, document, open } from '../builders/states.ts';
import { it } from '../harness/fixtures.ts';
import { sharedEntries } from '../harness/zip-bomb.ts';

const KNOWN = [analysed('a')];
const OPEN = open('submission-1', ['a']);
const OTHER = [analysed('b')];
const NEWER = { submissionId: 'submission-2', at: daysAgo(0) };
const NEWER_KNOWN = [analysed('a', NEWER)];

it.for<[string, Readonly<Record<string, SavedState>>, string | undefined]>([
  ['an open record, if another artifact has its result', { one: saved(OPEN, 'open'), two: saved(KNOWN) }, 'one'],
  ['one whose records another has', { one: saved(KNOWN), two: saved([...KNOWN, ...OTHER]) }, 'one'],
  ['an open one first', { one: saved(KNOWN), two: saved(KNOWN, 'open') }, 'two'],
  ['an empty one', { one: saved(KNOWN), two: saved([]) }, 'two'],
  ['never the analysis, but its open record', { one: saved(KNOWN), two: saved(OPEN, 'open') }, 'two'],
  ['an analysis, if another has a newer one', { one: saved(NEWER_KNOWN), two: saved(KNOWN) }, 'two'],
  ['none that alone has a record', { one: saved(KNOWN), two: saved(OTHER) }, undefined],
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

it('a state that gets another name is joined with the one that has its own', async ({ startArtifacts, makeFolder }) => {
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
  expect(created.map(({ days }) => days)).toEqual([365, 365, 365]);
});

const HELLO = Buffer.from('hello');

it.for(['../state.json', '/state.json', 'C:\\state.json', 'state/state.json', 'STATE.JSON', 'state.json\0.png'])(
  'no state is called %j',
  (name) => {
    expect(stateIn(zipSync({ [name]: HELLO }))).toBeUndefined();
  },
);

it('an archive with any other entry has no state, and nothing is unpacked', () => {
  expect(stateIn(zipSync({ 'state.json': HELLO, other: HELLO }))).toBeUndefined();
  expect(stateIn(zipSync({ other: HELLO, 'state.json': HELLO }))).toBeUndefined();
  expect(stateIn(sharedEntries(300, new Uint8Array(MAX_STATE_BYTES)))).toBeUndefined();
});

it('the state is not unpacked beyond its maximum size, nor beyond the size that the archive claims', () => {
  const archive = Buffer.from(zipSync({ 'state.json': new Uint8Array(1_000) }));
  const claiming = (size: number) => {
    archive.writeUInt32LE(size, archive.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
    return stateIn(archive)?.length ?? 0;
  };
  expect([claiming(1_000), claiming(MAX_STATE_BYTES + 1)]).toEqual([1_000, 0]);
  expect(claiming(10)).toBeLessThanOrEqual(10);
});

it('an incomplete archive has no state, and nothing is thrown', () => {
  const whole = zipSync({ 'state.json': HELLO });
  for (const other of [new Uint8Array(), Buffer.from('{"contents":[]}'), zipSync({})])
    expect(stateIn(other)).toBeUndefined();
  for (let length = 1; length < whole.length; length += 1) expect(stateIn(whole.subarray(0, length))).toBeUndefined();
  expect(Buffer.from(stateIn(whole) ?? [])).toEqual(HELLO);
});

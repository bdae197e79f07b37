import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/causes/cause.ts';
import { nothingFound } from '../../src/findings.ts';
import type { MediaFile } from '../../src/media/file.ts';
import type { Category } from '../../src/media/media-types.ts';
import { isLoss, type PlanBasis, planRules } from '../../src/plan/candidates.ts';
import {
  awaitedSubmissions,
  contentsToSend,
  isAllReused,
  makePlan,
  needsOtherStates,
  type Plan,
  problemsIn,
} from '../../src/plan/plan.ts';
import { idKey } from '../../src/service/responses.ts';
import {
  type AnalysedRecord,
  analysisId,
  type ContentRecord,
  type FailedRecord,
  type OpenRecord,
  type PathRecord,
} from '../../src/state/document.ts';
import { file, pointer, sha } from '../builders/media.ts';
import { analysed, basis, daysAgo, type Found, failed, open, pathRecord, responses } from '../builders/states.ts';

interface Case extends Partial<PlanBasis> {
  readonly records?: readonly (ContentRecord | readonly ContentRecord[])[];
  readonly paths?: readonly PathRecord[];
  readonly found?: Found;
}

const A = file('a.png', 'A');
const B = file('b.png', 'B');
const COPY = file('b.png', 'A');

function planned({ files = [A], records = [], paths = [], found = {}, ...changes }: Case): Plan {
  const state = { contents: records.flat(), paths: [...paths] };
  return makePlan(basis(files, state, changes), responses(found));
}

const USES = { reused: 'reuse', awaited: 'await', failed: 'failed' };

/** One line for each content: what happens to its paths, and why. */
function inShort(plan: Plan): string[] {
  const contents = plan.contents.map(({ content, source }) => {
    const paths = content.paths.join('+');
    if (source.kind !== 'sent') return `${USES[source.kind]} ${paths} in ${source.record.submissionId}`;
    const { submissionId, versionGroupId } = source.previous ?? {};
    const link = [submissionId && ` after ${submissionId}`, versionGroupId && ` in ${versionGroupId}`];
    return [`send ${paths}: ${source.why}`, ...link].join('');
  });
  return [...contents, ...plan.unknownPointers.map(({ path }) => `pre-flight ${path}`)];
}

function judged(submissionId: string, days: number, changes: Partial<AnalysedRecord> = {}): ContentRecord {
  return analysed('A', { submissionId, at: daysAgo(days), ...changes });
}

function sent(submissionId: string, days: number, changes: Partial<OpenRecord> = {}): readonly ContentRecord[] {
  return open(submissionId, ['A'], { at: daysAgo(days), ...changes });
}

function broke(submissionId: string, days: number, changes: Partial<FailedRecord> = {}): ContentRecord {
  return failed('A', { submissionId, at: daysAgo(days), ...changes });
}

function typed(path: string, extension: string, category: Category | undefined, family: string): MediaFile {
  return { ...file(path, 'A'), type: { mime: `x/${extension}`, extension, category, family } };
}

const FILM = typed('a.mp4', 'mp4', 'video', 'iso');
const SOUND = typed('a.m4a', 'm4a', 'audio', 'iso');
const EXCEL = typed('a.xls', 'xls', 'document', 'ole');
const AS_FILM = { name: 'a.mp4', category: 'video' } as const;
const AS_SOUND = { name: 'a.m4a', category: 'audio' } as const;
const AS_WORD = { name: 'a.doc', category: 'document' } as const;
const IN_OTHER = analysed('A', { sidekicks: 'x', submissionId: 'elsewhere', versionGroupId: 'other' });
const POINTER = { files: [], pointers: [pointer('a.png', 'A')] };
const NEVER = { reuseDays: 0 };
const MISSING = 'no longer at the service';
const FAILED = 'earlier analysis failed';

// biome-ignore format: a table
describe.each<[string, readonly [title: string, given: Case, ...expected: string[]][]]>([
  ['a file', [
    ['that is unknown', {}, 'send a.png: new'],
    ['with other bytes at both of its paths',
      { files: [A, COPY], paths: [pathRecord('b.png', 'B', { submissionId: 'b' }), pathRecord('a.png', 'C')] },
      'send a.png+b.png: changed after submission-1'],
    ['with other bytes at one of its paths', { files: [A, COPY], paths: [pathRecord('b.png', 'B')] },
      'send a.png+b.png: changed after submission-1'],
    ['that was renamed, copied or reverted',
      { files: [COPY, file('c.png', 'A')], records: [judged('s', 1)], paths: [pathRecord('b.png', 'B')] },
      'reuse b.png+c.png in s'],
    ['just young enough', { records: [judged('s', 89.999)] }, 'reuse a.png in s'],
    ['too old', { records: [judged('s', 90)] }, 'send a.png: earlier result too old after s'],
    ['with reuse-days: 0 and a fast clock', { records: [judged('s', -1)], ...NEVER },
      'send a.png: earlier result too old after s'],
    ['with reuse-days: 0, still open', { records: [judged('s', 2), sent('n', 1)], ...NEVER }, 'await a.png in n'],
  ]],
  ['of several records', [
    ['the newest analysis', { records: [judged('old', 2), judged('s', 1)] }, 'reuse a.png in s'],
    ['the older, if the newest is missing',
      { records: [judged('old', 2), judged('s', 1)], found: { s: { A: 'missing' } } }, 'reuse a.png in old'],
    ['an analysis before a newer open one', { records: [judged('s', 2), sent('n', 1)] }, 'reuse a.png in s'],
    ['the open one, if it is complete',
      { records: [judged('s', 2), sent('n', 1)], found: { n: { A: 'finished' } } }, 'await a.png in n'],
    ['the open one, if the analysis is missing',
      { records: [judged('s', 2), sent('n', 1)], found: { n: { A: 'awaited' }, s: 'missing' } }, 'await a.png in n'],
    ['the open one, if an earlier run found the analysis missing',
      { records: [judged('s', 1, { isLost: true }), sent('n', 2)] }, 'await a.png in n'],
    ['an analysis that an earlier run found missing, if there is no other record',
      { records: [judged('s', 1, { isLost: true })] }, 'reuse a.png in s'],
    ['the newest that is open', { records: [sent('n', 1), sent('o', 2)] }, 'await a.png in n'],
    ['an older one that is complete, before one that is open',
      { records: [sent('n', 1), sent('o', 2)], found: { o: { A: 'finished' } } }, 'await a.png in o'],
    ['none that was given up',
      { records: [sent('n', 8)], found: { n: { A: 'given up' } } }, 'send a.png: earlier analysis never finished'],
    ['the reason of the newest, if all are lost',
      { records: [judged('s', 9), sent('n', 8)], found: { n: { A: 'given up' }, s: 'missing' } },
      'send a.png: earlier analysis never finished'],
  ]],
  ['a failure', [
    ['that only the service reports is shown', { records: [sent('s', 1)], found: { s: { A: 'failed' } } },
      'failed a.png in s'],
    ['does not hide an analysis', { records: [judged('s', 2), broke('n', 1)] }, 'reuse a.png in s'],
    ['does not hide an open submission', { records: [sent('s', 2), broke('n', 1)] }, 'await a.png in s'],
    ['is shown, if the analysis before it is missing',
      { records: [judged('s', 2), broke('n', 1)], found: { s: { A: 'missing' } } },
      'failed a.png in n'],
    ['is awaited again, if its submission has healed', { records: [broke('s', 1)], found: { s: { A: 'finished' } } },
      'await a.png in s'],
    ['is awaited by a re-run, if it is analysed again',
      { records: [broke('s', 1)], found: { s: { A: 'awaited' } }, isRerun: true }, 'await a.png in s'],
    ['is shown, if its asset was not read', { records: [broke('s', 1)], found: { s: {} } }, 'failed a.png in s'],
    ['is shown, if its submission is missing', { records: [broke('s', 1)], found: { s: 'missing' } },
      'failed a.png in s'],
    ['is sent again after seven days, if its submission is missing',
      { records: [broke('s', 8)], found: { s: 'missing' } },
      `send a.png: ${FAILED}`],
    ['is sent again by a re-run', { records: [broke('s', 1)], isRerun: true }, `send a.png: ${FAILED}`],
    ['is sent again by a re-run, if only the service reports it',
      { records: [sent('s', 1)], found: { s: { A: 'failed' } }, isRerun: true }, `send a.png: ${FAILED}`],
    ['is shown again for less than seven days', { records: [broke('s', 6.99)] }, 'failed a.png in s'],
    ['is sent again after seven days', { records: [broke('s', 7)] }, `send a.png: ${FAILED}`],
    ['is shown after seven days, if its submission is complete',
      { records: [broke('s', 7)], found: { s: { A: 'failed' } } }, 'failed a.png in s'],
    ['is sent again with reuse-days: 0', { records: [broke('s', 1)], ...NEVER }, `send a.png: ${FAILED}`],
  ]],
  ['other sidekicks', [
    ['need another analysis', { records: [judged('s', 2), sent('n', 1)], sidekicks: 'x' },
      'send a.png: sidekicks changed after s'],
    ['need another analysis of a file that is still open', { records: [sent('n', 1)], sidekicks: 'x' },
      'send a.png: sidekicks changed'],
    ['do not hide an older analysis by the same ones',
      { records: [judged('s', 5, { sidekicks: 'x' }), judged('n', 1)], sidekicks: 'x' },
      'reuse a.png in s'],
  ]],
  ['a type', [
    ['a film, analysed as sound', { files: [FILM], records: [judged('s', 1, AS_SOUND)] },
      'send a.mp4: media type changed after s'],
    ['a film with a copy named .m4a, analysed as sound',
      { files: [SOUND, FILM], records: [judged('s', 1, AS_SOUND)] },
      'send a.m4a+a.mp4: media type changed after s'],
    ['a film, analysed as sound since',
      { files: [FILM], records: [judged('s', 9, AS_FILM), judged('n', 1, AS_SOUND)] },
      'reuse a.mp4 in s'],
    ['a film, too old, analysed as sound since',
      { files: [FILM], records: [judged('s', 90, AS_FILM), judged('n', 1, AS_SOUND)] },
      'send a.mp4: earlier result too old after n'],
    ['sound, analysed as a film', { files: [SOUND], records: [judged('s', 1, AS_FILM)] }, 'reuse a.m4a in s'],
    ['a film, analysed as a film only by other sidekicks',
      { files: [FILM], records: [judged('s', 2, { ...AS_FILM, sidekicks: 'x' }), judged('n', 1, AS_SOUND)] },
      'send a.mp4: media type changed after n'],
    ['a document under another extension', { files: [EXCEL], records: [judged('s', 1, AS_WORD)] },
      'send a.xls: media type changed after s'],
    ['a document under the same extension',
      { files: [EXCEL], records: [judged('s', 1, { ...AS_WORD, name: 'b.xls' })] }, 'reuse a.xls in s'],
    ['copies that no analysis covers', { files: [A, FILM] }, 'send a.mp4+a.png: new'],
  ]],
  ['a Git LFS pointer', [
    ['to an unknown content', { files: [], pointers: [pointer('a.png', 'A'), pointer('b.png', 'A')] },
      'pre-flight a.png', 'pre-flight b.png'],
    ['to an analysed content', { ...POINTER, records: [judged('s', 1)] },
      'reuse a.png in s'],
    ['to a film, analysed as sound',
      { files: [], pointers: [pointer('a.mp4', 'A')], records: [judged('s', 1, AS_SOUND)] },
      'pre-flight a.mp4'],
    ['named as a film, beside the same bytes as sound', { files: [SOUND], pointers: [pointer('a.mp4', 'A')] },
      'send a.m4a+a.mp4: new', 'pre-flight a.mp4'],
    ['beside the same file', { files: [A], pointers: [pointer('b.png', 'A'), pointer('c', 'A')] },
      'send a.png+b.png+c: new'],
    ['without an extension', { files: [], pointers: [pointer('a', 'A')], records: [judged('s', 1, AS_SOUND)] },
      'reuse a in s'],
  ]],
  ['a link to the earlier version', [
    ['is left out, if it is missing', { paths: [pathRecord('a.png', 'B')], found: { 'submission-1': 'missing' } },
      'send a.png: changed'],
    ['stays, if another submission is missing',
      { records: [judged('s', 1)], paths: [pathRecord('a.png', 'B')], found: { s: 'missing' } },
      `send a.png: ${MISSING} after submission-1`],
    ['is in the version group of the earlier bytes, wherever these were analysed',
      { records: [IN_OTHER, analysed('B', { submissionId: 'n', versionGroupId: 'g' })],
        paths: [pathRecord('a.png', 'B')] },
      'send a.png: sidekicks changed after submission-1 in g'],
    ['is in the version group of the same bytes, if the file was renamed', { records: [IN_OTHER] },
      'send a.png: sidekicks changed after elsewhere in other'],
  ]],
])('%s', (_, rows) => {
  it.each(rows)('%s', (_title, given, ...expected) => {
    expect(inShort(planned(given))).toEqual(expected);
  });
});

it('earlier contents keep the name and category that the service knows, and the size of a file or a pointer', () => {
  const { contents } = planned({
    files: [A, B, { ...file('s.m4a', 'S'), type: SOUND.type }],
    pointers: [{ ...pointer('a-too.png', 'A'), size: 99 }, pointer('p.png', 'P')],
    records: [analysed('A'), analysed('P'), open('s', ['B']), analysed('S', AS_FILM)],
  });
  const named = contents.map(({ content: { size, category, name } }) => `${size} ${category} ${name}`);
  expect(named).toEqual(['10 image A.png', '10 image B.png', '10 video a.mp4', '10 image P.png']);
});

it('of a film and a copy named as sound, the film is sent with its own name and real type', () => {
  const plan = planned({ files: [SOUND, { ...FILM, path: 'film.mov' }, B], records: [open('s', ['B'])] });
  const name = expect.stringMatching(/^film-.*\.mp4$/);
  expect(contentsToSend(plan)).toMatchObject([{ file: { path: 'film.mov' }, category: 'video', name }]);
});

it.each<[string, Case, isAllReused: boolean, needsOtherStates: boolean]>([
  ['everything was analysed', { records: [analysed('A'), analysed('P')] }, true, false],
  ['a pointer is unknown', { records: [analysed('A')] }, false, true],
  ['a file would be sent', { records: [analysed('P')] }, false, true],
  ['a file is awaited', { records: [sent('s', 1), analysed('P')] }, false, false],
  ['a file has failed', { records: [broke('s', 1), analysed('P')] }, false, true],
])('if %s, everything is reused: %s; other states are read: %s', (_, options, ...expected) => {
  const plan = planned({ ...options, pointers: [pointer('p.png', 'P')] });
  expect([isAllReused(plan), needsOtherStates(plan)]).toEqual(expected);
});

it.each([
  [1, false],
  [2, true],
])('attempt %i of a run is a re-run: %s', (runAttempt, isRerun) => {
  const rules = planRules({ reuseDays: 9, sidekickIds: ['a'] }, { repositoryId: '1', runAttempt });
  expect(rules).toEqual({ reuseDays: 9, sidekicks: sha('a').slice(0, 16), repositoryId: '1', isRerun });
});

function hash(sidekickIds: string[] | undefined): string {
  return planRules({ reuseDays: 9, sidekickIds }, { repositoryId: '1', runAttempt: 1 }).sidekicks;
}

it('a hash of sidekicks has the format of earlier states, in any order', () => {
  expect(hash(undefined)).toBe('');
  expect(hash(['b', 'a'])).toBe(sha('a,b').slice(0, 16));
  expect(new Set([undefined, [], ['a'], ['b'], ['a', 'b']].map(hash)).size).toBe(5);
});

it('what is missing, failed or given up is lost, but no record of a failure', () => {
  const statuses = ['finished', 'awaited', 'failed', 'given up'] as const;
  const found = Object.fromEntries(statuses.map((status) => [status, { A: status }]));
  const [young, old] = [statuses.slice(0, -1).map((status) => sent(status, 1)), sent('given up', 8)];
  const records = [...young, old, judged('gone', 1), broke('broke', 1)];
  const { lost } = planned({ records, found: { ...found, gone: 'missing' } });
  const expected = ['failed', 'given up', 'gone'].map((submissionId) => analysisId({ sha256: sha('A'), submissionId }));
  expect(lost).toEqual(new Set(expected));
});

it.each([
  ['a push shows it', false, 0],
  ['a re-run sends the file', true, 1],
])('an open record that has failed since is lost only if it is not shown: %s', (_, isRerun, size) => {
  expect(planned({ records: [sent('s', 1)], found: { s: { A: 'failed' } }, isRerun }).lost.size).toBe(size);
});

it('what was analysed before and is analysed again counts as paid twice', () => {
  const reasons = ['new', 'changed', 'sidekicks changed', 'media type changed', 'earlier result too old'];
  const losses = [MISSING, FAILED, 'earlier analysis never finished'];
  expect([...reasons, ...losses].filter(isLoss)).toEqual(['earlier result too old', ...losses]);
});

const UNKNOWN = { reason: 'pre-flight', path: 'p.png' } as const;

it.each<[string, Case, readonly Partial<Cause>[]]>([
  ['one file is sent', { records: [analysed('B')] }, []],
  ['two files are sent', {}, [{ reason: 'pre-flight', message: expect.stringMatching(/^2 files .* only 1\./) }]],
  ['a pointer is unknown', { records: [analysed('B')], pointers: [pointer('p.png', 'P')] }, [UNKNOWN]],
])('what stops a run with max-files: 1: %s', (_, given, expected) => {
  const plan = planned({ files: [A, B, file('c.png', 'A')], ...given });
  expect(problemsIn(plan, nothingFound().inspection, { maxFiles: 1, workflow: '' })).toMatchObject(expected);
});

it('an awaited submission has its own contents, and knows the other files of the state', () => {
  const others = [analysed('B', { submissionId: 's', assetId: 'ID-B' }), analysed('C', { name: 'c.png' })];
  const { earlierState } = basis([A], { contents: [...open('s', ['A']), ...others] });
  const plan = makePlan(basis([A], {}, { earlierState }));
  const names = expect.arrayContaining(['A.png', 'B.png', 'c.png']);
  const otherFiles = { names, assetKeys: new Set([idKey('ID-B')]), pending: ['A.png'] };
  const submission = { submissionId: 's', contents: [{ paths: ['a.png'] }], otherFiles };
  expect(awaitedSubmissions(plan, earlierState)).toMatchObject([submission]);
});

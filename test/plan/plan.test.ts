import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/causes/cause.ts';
import { nothingFound } from '../../src/findings.ts';
import type { MediaFile } from '../../src/media/file.ts';
import type { Category } from '../../src/media/media-types.ts';
import {
  awaitedSubmissions,
  describeLosses,
  makePlan,
  NO_PLAN,
  needsOtherStates,
  type Plan,
  type PlanBasis,
  planRules,
  previousSubmissions,
  problemsIn,
} from '../../src/plan/plan.ts';
import type { Outcome } from '../../src/service/analysis.ts';
import { type AnalysedRecord, type ContentRecord, type OpenRecord, type PathRecord } from '../../src/state/document.ts';
import { file, pointer, sentName, sha } from '../builders/media.ts';
import { analysed, asked, basis, daysAgo, open, pathRecord } from '../builders/states.ts';

interface Case extends Partial<PlanBasis> {
  readonly records?: readonly (ContentRecord | readonly ContentRecord[])[];
  readonly paths?: readonly PathRecord[];
  /** By submission: what the service says about the file A in it. */
  readonly found?: Readonly<Record<string, Outcome>>;
}

const A = file('a.png', 'A');
const B = file('b.png', 'B');
const COPY = file('b.png', 'A');

function basisOf({ files = [A], records = [], paths = [], ...changes }: Case): PlanBasis {
  return basis(files, { contents: records.flat(), paths: [...paths] }, changes);
}

function planned(given: Case): Plan {
  return makePlan(basisOf(given), saying(given.found ?? {}));
}

function saying(found: NonNullable<Case['found']>) {
  return asked(Object.fromEntries(Object.entries(found).map(([id, outcome]) => [id, { A: outcome }])));
}

const USES = { reused: 'reuse', awaited: 'await' };

/** One line for each content: what happens to its paths, and why. */
function inShort(plan: Plan, links: ReadonlyMap<string, string>): string[] {
  const contents = plan.contents.map(({ content, source }) => {
    const paths = content.paths.join('+');
    if (source.kind !== 'sent') return `${USES[source.kind]} ${paths} in ${source.record.submissionId}`;
    const previous = links.get(content.sha256);
    return `send ${paths}: ${source.why}${previous === undefined ? '' : ` after ${previous}`}`;
  });
  return [...contents, ...plan.unknownPointers.map((path) => `pre-flight ${path}`)];
}

function judged(submissionId: string, days: number, changes: Partial<AnalysedRecord> = {}): ContentRecord {
  return analysed('A', { submissionId, at: daysAgo(days), ...changes });
}

function sent(submissionId: string, days: number, changes: Partial<OpenRecord> = {}): readonly ContentRecord[] {
  return open(submissionId, ['A'], { at: daysAgo(days), ...changes });
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
const IN_OTHER = analysed('A', { sidekicks: 'x', submissionId: 'elsewhere' });
const POINTER = { files: [], pointers: [pointer('a.png', 'A')] };
const NEVER = { reuseDays: 0 };
const MISSING = 'no longer at the service' as const;
const ASKED_FOR = 'asked for by reuse-days' as const;

// biome-ignore format: a table
describe.each<[string, readonly [title: string, given: Case, ...expected: string[]][]]>([
  ['a file', [
    ['that is unknown', {}, 'send a.png: new'],
    ['with other bytes at both of its paths',
      { files: [A, COPY], paths: [pathRecord('b.png', 'B', { submissionId: 'b' }), pathRecord('a.png', 'C')] },
      'send a.png+b.png: new after submission-1'],
    ['with other bytes at one of its paths', { files: [A, COPY], paths: [pathRecord('b.png', 'B')] },
      'send a.png+b.png: new after submission-1'],
    ['that was renamed, copied or reverted',
      { files: [COPY, file('c.png', 'A')], records: [judged('s', 1)], paths: [pathRecord('b.png', 'B')] },
      'reuse b.png+c.png in s'],
  ]],
  ['with reuse-days: 0', [
    ['and a fast clock', { records: [judged('s', -1)], ...NEVER }, `send a.png: ${ASKED_FOR} after s`],
    ['an analysis of an earlier attempt of this run',
      { records: [judged('s', 1, { runId: '42' }), judged('o', 2)], ...NEVER }, 'reuse a.png in s'],
  ]],
  ['a re-run', [
    ['sends what has failed', { records: [sent('s', 1)], found: { s: 'failed' }, isRerun: true },
      'send a.png: earlier analysis has no result'],
    ['sends what is missing', { records: [sent('s', 1)], found: { s: 'missing' }, isRerun: true },
      `send a.png: ${MISSING}`],
  ]],
  ['other sidekicks', [
    ['need another analysis', { records: [judged('s', 2), sent('n', 1)], sidekicks: 'x' },
      'send a.png: new after s'],
    ['do not hide an older analysis by the same ones',
      { records: [judged('s', 5, { sidekicks: 'x' }), judged('n', 1)], sidekicks: 'x' },
      'reuse a.png in s'],
  ]],
  ['a type', [
    ['a film, analysed as sound', { files: [FILM], records: [judged('s', 1, AS_SOUND)] },
      'send a.mp4: new after s'],
    ['a film, analysed as sound since',
      { files: [FILM], records: [judged('s', 9, AS_FILM), judged('n', 1, AS_SOUND)] },
      'reuse a.mp4 in s'],
    ['a film, too old, analysed as sound since',
      { files: [FILM], records: [judged('s', 90, AS_FILM), judged('n', 1, AS_SOUND)] },
      `send a.mp4: ${ASKED_FOR} after n`],
    ['sound, analysed as a film', { files: [SOUND], records: [judged('s', 1, AS_FILM)] },
      'send a.m4a: new after s'],
    ['of no category', { files: [typed('a.xyz', 'xyz', undefined, 'xyz')],
      records: [judged('s', 1, { name: 'b.xyz', category: 'document' })] }, 'reuse a.xyz in s'],
    ['a document under another extension', { files: [EXCEL], records: [judged('s', 1, AS_WORD)] },
      'send a.xls: new after s'],
    ['a document under the same extension',
      { files: [EXCEL], records: [judged('s', 1, { ...AS_WORD, name: 'b.xls' })] }, 'reuse a.xls in s'],
  ]],
  ['a Git LFS pointer', [
    ['to an unknown content', { files: [], pointers: [pointer('a.png', 'A'), pointer('b.png', 'A')] },
      'pre-flight a.png', 'pre-flight b.png'],
    ['to an analysed content', { ...POINTER, records: [judged('s', 1)] },
      'reuse a.png in s'],
    ['to a film, analysed as sound',
      { files: [], pointers: [pointer('a.mp4', 'A')], records: [judged('s', 1, AS_SOUND)] },
      'pre-flight a.mp4'],
    ['beside the same file', { files: [A], pointers: [pointer('b.png', 'A'), pointer('c', 'A')] },
      'send a.png+b.png+c: new'],
    ['without an extension', { files: [], pointers: [pointer('a', 'A')], records: [judged('s', 1, AS_SOUND)] },
      'reuse a in s'],
    ['to a content that other sidekicks analysed',
      { files: [], pointers: [pointer('a', 'A')], records: [judged('s', 1, { sidekicks: 'x' })] },
      'pre-flight a'],
  ]],
  ['a link to the earlier version', [
    ['stays, if another submission is missing',
      { records: [judged('s', 1)], paths: [pathRecord('a.png', 'B')], found: { s: 'missing' } },
      `send a.png: ${MISSING} after submission-1`],
    ['is the one in which its path was analysed last',
      { records: [IN_OTHER, analysed('B', { submissionId: 'n' })],
        paths: [pathRecord('a.png', 'B')] },
      'send a.png: new after submission-1'],
    ['is the one in which its bytes were analysed, if the file was renamed', { records: [IN_OTHER] },
      'send a.png: new after elsewhere'],
  ]],
])('%s', (_, rows) => {
  it.each(rows)('%s', (_title, given, ...expected) => {
    const plan = planned(given);
    expect(inShort(plan, previousSubmissions(plan, basisOf(given).earlierState))).toEqual(expected);
  });
});

it.each<[string, boolean, Case]>([
  ['everything was analysed', false, { records: [analysed('A'), analysed('P')] }],
  ['a pointer is unknown', true, { records: [analysed('A')] }],
  ['a file would be sent', true, { records: [analysed('P')] }],
  ['the service is at work on a file', true, { records: [sent('s', 1), analysed('P')], found: { s: 'working' } }],
  ['a file has failed', true, { records: [sent('s', 1), analysed('P')], found: { s: 'failed' } }],
  ['a file is unread', true, { records: [sent('s', 1), analysed('P')] }],
])('if %s, other states are read: %s', (_, expected, options) => {
  const plan = planned({ ...options, pointers: [pointer('p.png', 'P')] });
  expect(needsOtherStates(plan, saying(options.found ?? {}))).toBe(expected);
});

function rules(sidekickIds: string[] | undefined, runAttempt = 1) {
  return planRules({ reuseDays: 9, sidekickIds }, { repositoryId: '1', runId: '7', runAttempt });
}

const hash = (ids: string[] | undefined): string => rules(ids).sidekicks;

it('a second attempt of a run is a re-run; a hash of sidekicks has the format of earlier states, in any order', () => {
  expect([1, 2].map((attempt) => rules(undefined, attempt).isRerun)).toEqual([false, true]);
  expect([hash(undefined), hash(['b', 'a'])]).toEqual(['', sha('a,b').slice(0, 16)]);
  expect(new Set([undefined, [], ['a'], ['b'], ['a', 'b']].map(hash)).size).toBe(5);
});

it('the warning about files that are billed again names lost analyses, not old ones', () => {
  const files = ['A', 'B', 'C', 'D', 'old'].map((seed) => file(`${seed}.png`, seed));
  const working = open('w', ['D'], { at: daysAgo(7) });
  const contents = [...open('s', ['A', 'C']), ...open('t', ['B']), ...working, analysed('old', { at: daysAgo(90) })];
  const found = asked({ s: { A: 'failed', C: 'failed' }, t: { B: 'missing' }, w: { D: 'working' } });
  const plan = makePlan(basis(files, { contents }, { isRerun: true }), found);
  expect(describeLosses(NO_PLAN, false)).toBeUndefined();
  expect(describeLosses(plan, false)).toBe(`4 files will be analysed and billed again: A.png, B.png, C.png, D.png.`);
  expect(describeLosses(plan, true)).toBe(`4 files will be sent again: A.png, B.png, C.png, D.png.`);
});

const UNKNOWN = { reason: 'pre-flight', path: 'p.png' } as const;

it.each<[string, Case, readonly Partial<Cause>[]]>([
  ['one file is sent', { records: [analysed('B')] }, []],
  ['two files are sent', {}, [{ reason: 'pre-flight', message: expect.stringMatching(/^2 files .* only 1\./) }]],
  ['a pointer is unknown', { records: [analysed('B')], pointers: [pointer('p.png', 'P')] }, [UNKNOWN]],
])('what stops a run with max-files: 1: %s', (_, given, expected) => {
  const plan = planned({ files: [A, B, file('c.png', 'A')], ...given });
  expect(problemsIn(plan, nothingFound().inspection, { maxFiles: 1 })).toMatchObject(expected);
});

it('an awaited submission has its own files, and names the assets that are known already', () => {
  const others = [analysed('B', { submissionId: 'S', assetId: 'ID-B' }), analysed('C')];
  const { earlierState } = basis([A], { contents: [...open('S', ['A']), ...others] });
  const plan = makePlan(basis([A], {}, { earlierState }));
  expect(awaitedSubmissions(plan, earlierState)).toMatchObject([
    {
      submissionId: 'S',
      files: [{ content: { paths: ['a.png'], name: sentName('A') } }],
      knownAssets: new Set(['id-b']),
    },
  ]);
});

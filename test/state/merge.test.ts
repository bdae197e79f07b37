import assert from 'node:assert/strict';
import { expect, it } from 'vitest';
import type { Content } from '../../src/media/content.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import type { Issue } from '../../src/service/issue.ts';
import { analysisId, type ContentRecord, type StateDocument } from '../../src/state/document.ts';
import { joinStates, mergeState, type RunResults } from '../../src/state/merge.ts';
import { issue, result } from '../builders/analyses.ts';
import { content, sha } from '../builders/media.ts';
import { analysed, daysAgo, document, failed, NOW, open, pathRecord } from '../builders/states.ts';

const TIME = NOW.toISOString();

function merged(state: Partial<StateDocument>, run: Partial<RunResults>): StateDocument {
  const compared = { contents: [], comparedWith: undefined, waived: [] };
  const nothing = { analyses: [], submissions: [], lost: new Set<string>(), foundPaths: [], ...compared };
  return mergeState(joinStates([document(state)]), { ...nothing, sidekicks: '', reuseDays: 90, now: NOW, ...run });
}

function contentOf(seed: string, ...paths: Content['paths']): Content {
  return { ...content(seed, paths), sha256: sha(seed), name: `${seed}.png` };
}

/** An analysis of the content A in the submission `s`. */
function read(changes: Partial<Omit<Analysis, 'content'>> = {}): Analysis {
  return result(contentOf('A', 'a.png'), {
    submissionId: 's',
    assetId: 'asset-A',
    versionNumber: undefined,
    ...changes,
  });
}

it('joined states have every analysis, the latest first, and then that of the nearest state', () => {
  const old = analysed('a', { at: daysAgo(9), submissionId: 'old' });
  const late = analysed('a', { at: daysAgo(2), sidekicks: 'x' });
  const far = { ...late, submissionId: 'far' };
  for (const order of [
    [old, late, far],
    [late, far, old],
  ]) {
    const { records } = joinStates(order.map((record) => document({ contents: [record] })));
    expect(records.get(sha('a'))).toEqual([late, far, old]);
  }
});

it('joined states keep the result of an analysis, even if a nearer state calls it failed, or open later', () => {
  const known = analysed('a', { submissionId: 's', at: daysAgo(2) });
  for (const other of [
    failed('a', { submissionId: 's' }),
    ...open('s', ['a']),
    ...open('s', ['a'], { at: known.at }),
  ]) {
    const states = [other, known].map((record) => document({ contents: [record] }));
    expect(joinStates(states).records.get(sha('a'))).toEqual([known]);
  }
});

it('joined states have the paths of the nearest state, and each open record once', () => {
  const near = document({ paths: [pathRecord('p', 'a', { seenAt: daysAgo(30) })], contents: open('s', ['a']) });
  const far = document({ paths: [pathRecord('p', 'b'), pathRecord('q', 'b')], contents: open('s', ['a', 'b']) });
  const { paths, records } = joinStates([near, far]);
  expect([...paths.values()]).toEqual(near.paths);
  expect([...records.values()].flat()).toEqual(open('s', ['a', 'b']));
});

const CREATED = { submissionId: 's', createdAt: daysAgo(0.1), contents: [contentOf('A', 'a.png')], assetIds: [] };
const CAUSES = [{ reason: 'asset-failed', message: 'No pixels.', steps: [] }] as const;
const IN_S = { submissionId: 's' };
const NOW_IN_S = { ...IN_S, at: TIME };
const ANALYSED = analysed('A', { ...NOW_IN_S, topics: undefined, versionGroupId: undefined, versionNumber: undefined });
const FAILED = failed('A', { ...NOW_IN_S, message: 'No pixels.' });
const DISMISSED = issue({ status: 'DISMISSED' });
const BROKEN = read({ outcome: 'failed', prospect: 'failed for good', causes: CAUSES });
const [OLD, NEWER] = [analysed('A', { at: daysAgo(9) }), analysed('A', { submissionId: 'newer' })];
const LOST = { ...NEWER, isLost: true };
const NIGHTLY = open('nightly', ['A'], { at: daysAgo(0.5) });
const OTHERS = [
  ...open('sidekicks', ['A'], { sidekicks: 'x' }),
  ...open('film', ['A'], { category: 'video' }),
  ...open('text', ['A'], { category: 'document', name: 'a.txt' }),
  ...open('markdown', ['A'], { category: 'document', name: 'a.md' }),
];

function lost(...submissionIds: readonly string[]): ReadonlySet<string> {
  return new Set(submissionIds.map((submissionId) => analysisId({ sha256: sha('A'), submissionId })));
}

type Records = readonly (ContentRecord | readonly ContentRecord[])[];

// biome-ignore format: a table
it.each<[title: string, before: Records, run: Partial<RunResults>, after: Records]>([
  ['a submission is open from its creation on', [], { submissions: [CREATED] },
    [open('s', ['A'], { at: daysAgo(0.1) })]],
  ['a file sent again is open there alone', [open('old', ['A', 'B'])], { submissions: [CREATED], lost: lost('old') },
    [open('s', ['A'], { at: daysAgo(0.1) }), open('old', ['B'])]],
  ['a new analysis has the time of this run, not of its submission', [open('s', ['A'])], { analyses: [read()] },
    [ANALYSED]],
  ['an analysis that is read again keeps its time, with new statuses',
    [analysed('A', { ...IN_S, at: daysAgo(50), issues: [issue()] })], { analyses: [read({ issues: [DISMISSED] })] },
    [{ ...ANALYSED, at: daysAgo(50), issues: [DISMISSED] }]],
  ['a file that may be retried stays open', [open('s', ['A'])],
    { analyses: [{ ...BROKEN, prospect: 'at work' }] }, [open('s', ['A'])]],
  ['an analysis that another run saved since is not open', [ANALYSED], { submissions: [CREATED] }, [ANALYSED]],
  ['a newer open record stays beside an analysis', [NEWER, NIGHTLY], {}, [NIGHTLY, NEWER]],
  ['a newer analysis replaces an open record', [NIGHTLY], { analyses: [read()] }, [ANALYSED]],
  ['a newer analysis replaces an older one and a failure', [OLD, failed('A')], { analyses: [read()] }, [ANALYSED]],
  ['records by other sidekicks, and of another type, stay', [OTHERS], { analyses: [read()] }, [ANALYSED, OTHERS]],
  ['a lost open record goes if another one is left', [NIGHTLY, OLD], { lost: lost('nightly') }, [OLD]],
  ['a lost analysis is the last known one, beside an older one that is paid for', [NEWER, OLD],
    { lost: lost('newer') }, [LOST, OLD]],
  ['a lost analysis is the last known one, while its file is open again', [NIGHTLY, LOST], {}, [NIGHTLY, LOST]],
  ['an older paid analysis stays beside a lost one, while its file is open again', [NIGHTLY, LOST, OLD], {},
    [NIGHTLY, LOST, OLD]],
  ['a lost analysis goes once a newer one is saved', [NIGHTLY, LOST], { analyses: [read()] }, [ANALYSED]],
  ['lost records stay if none is left', [NIGHTLY, NEWER, OLD],
    { lost: lost('newer', 'nightly', 'submission-1') }, [NIGHTLY, NEWER]],
  ['a lost record stays if it was read again', [analysed('A', NOW_IN_S), OLD],
    { analyses: [read()], lost: lost('s') }, [ANALYSED]],
  ['open records and failures go after 90 days',
    [open('s', ['B'], { at: daysAgo(90) }), open('s', ['C'], { at: daysAgo(89) }), failed('D', { at: daysAgo(90) })],
    {}, [open('s', ['C'], { at: daysAgo(89) })]],
  ['a failure is not open any more', [open('s', ['A'])], { analyses: [BROKEN] }, [FAILED]],
  ['a failure leaves what another submission is paid for', [NIGHTLY, open('s', ['A'])], { analyses: [BROKEN] },
    [NIGHTLY, { ...FAILED, at: '2026-11-14T23:59:59.999Z' }]],
  ['a failure leaves the last analysis', [NEWER, open('s', ['A'])], { analyses: [BROKEN] }, [FAILED, NEWER]],
  ['a failure never replaces an analysis', [analysed('A', IN_S)], { analyses: [BROKEN] }, [analysed('A', IN_S)]],
  ['what this run awaits stays, whatever the clock says', [open('s', ['A'], { at: daysAgo(99) })],
    { submissions: [{ ...CREATED, createdAt: daysAgo(99) }] }, [open('s', ['A'], { at: daysAgo(99) })]],
  ['a failure that this run awaits again stays', [failed('A', { ...IN_S, at: daysAgo(99) })],
    { submissions: [CREATED] }, [failed('A', { ...IN_S, at: daysAgo(99) })]],
  ['a failure that is shown again keeps its time', [failed('A', IN_S)], { analyses: [BROKEN] }, [failed('A', IN_S)]],
])('%s', (_, before, run, after) => {
  expect(merged({ contents: before.flat() }, run).contents).toEqual(after.flat());
});

it('keeps contents that did not match this time while they may be reused', () => {
  const state = {
    contents: [
      analysed('in use', { at: daysAgo(200) }),
      analysed('young', { at: daysAgo(89) }),
      analysed('old', { at: daysAgo(91) }),
    ],
    paths: [pathRecord('p', 'in use', { seenAt: daysAgo(89) }), pathRecord('gone', 'old', { seenAt: daysAgo(91) })],
  };
  expect(merged(state, {}).contents.map(({ sha256 }) => sha256)).toEqual([sha('young'), sha('in use')]);
  expect(merged(state, {}).paths.map(({ path }) => path)).toEqual(['p']);
  expect(merged(state, { reuseDays: 365 }).contents).toHaveLength(3);
  expect(merged(state, { reuseDays: 7 }).contents).toHaveLength(2);
});

function texts(length: number): Partial<Issue> {
  const names = ['id', 'summary', 'headline', 'status', 'ruleCode', 'reportedSeverity', 'sidekickId'];
  return Object.fromEntries(names.map((name) => [name, 'x'.repeat(length)]));
}

it('cuts long texts, and leaves out details and unknown fields, which may be a signed address or an image', () => {
  const long = issue({ ...texts(1_000), referenceNumber: 7, reasoning: 'z', createdAt: TIME });
  const halved = { ...issue({ summary: `${'x'.repeat(299)}😀` }), frameUrl: 'https://storage.test/frame?sig=0' };
  const topics = [{ title: 'x'.repeat(1_000), issueIds: ['1'] }];
  const [record] = merged({}, { analyses: [read({ issues: [long, halved], topics })] }).contents;
  const expected = [issue({ ...texts(300), referenceNumber: 7 }), issue({ summary: `${'x'.repeat(299)}\ufffd` })];
  assert(record?.kind === 'analysed');
  expect(record.issues).toEqual(expected);
  expect(record.topics).toEqual([{ title: 'x'.repeat(300), issueIds: ['1'] }]);
});

it.each([
  ['judged', 'A', 'judged', { submissionId: 's1', seenAt: TIME, isPresent: true }],
  ['judged with new bytes', 'C', 'judged', { sha256: sha('C'), submissionId: 's1', seenAt: TIME, isPresent: true }],
  ['found and not judged', 'A', 'unjudged', { seenAt: TIME, isPresent: false }],
] as const)('a path that was %s', (_, seed, outcome, expected) => {
  const state = { paths: [pathRecord('here', 'A'), pathRecord('gone', 'B')] };
  const analyses = [result(contentOf(seed, 'here'), { outcome })];
  expect(merged(state, { analyses, foundPaths: ['here'] }).paths).toEqual([
    pathRecord('here', 'A', expected),
    // The record of a missing path is kept, because another branch may have the file.
    pathRecord('gone', 'B', { isPresent: false }),
  ]);
});

it('a path whose file was not judged holds its bytes, if their issues are known', () => {
  const earlier = analysed('A', { submissionId: 's0' });
  const contents = [{ content: contentOf('A', 'a.png'), earlier }, { content: contentOf('B', 'b.png') }];
  const analyses = contents.map((each) => result(each.content, { outcome: 'unjudged' }));
  const { paths } = merged({}, { analyses, contents, foundPaths: ['a.png', 'b.png'] });
  expect(paths).toEqual([pathRecord('a.png', 'A', { submissionId: 's0', seenAt: TIME })]);
});

it('a branch run saves what it was compared with, which files of that it could not judge, and what is waived', () => {
  const files = ['a.png', 'b.png', 'gone.png'].map((path) => {
    return { path, sha256: sha(path), submissionId: 's0', assetId: 'x', issues: [] };
  });
  const run = { analyses: [read()], foundPaths: ['a.png', 'b.png'], comparedWith: { at: TIME, files }, waived: ['i'] };
  const { comparedWith, waived } = merged({}, run);
  const unjudged = comparedWith?.files.filter(({ isUnjudged }) => isUnjudged).map(({ path }) => path);
  expect([comparedWith?.at, comparedWith?.files.length, unjudged, waived]).toEqual([TIME, 3, ['b.png'], ['i']]);
  expect(Object.keys(merged({}, {}))).toEqual(['contents', 'paths']);
});

it.for<[string, Partial<Analysis>]>([
  ['is still open', { outcome: 'unjudged', prospect: 'at work' }],
  ['fails as well', { outcome: 'failed', prospect: 'failed for good', causes: CAUSES }],
])('a submission that failed when the file was sent again stays older than the new one, which %s', ([, latest]) => {
  const analyses = [{ ...BROKEN, submissionId: 'older' }, read(latest)];
  const { contents } = merged({ contents: open('older', ['A']) }, { analyses, submissions: [CREATED] });
  expect(contents.map(({ submissionId }) => submissionId)[0]).toBe('s');
});

import assert from 'node:assert/strict';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Content } from '../../src/media/content.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import type { Issue } from '../../src/service/issue.ts';
import { ContentRecord, type StateDocument } from '../../src/state/document.ts';
import { joinStates, mergeState, type RunResults } from '../../src/state/merge.ts';
import { issue, result } from '../builders/analyses.ts';
import { content, sha } from '../builders/media.ts';
import { analysed, daysAgo, document, NOW, open, pathRecord } from '../builders/states.ts';

function merged(state: Partial<StateDocument>, run: Partial<RunResults>): StateDocument {
  const compared = { contents: [], comparedWith: undefined, waived: [] };
  const nothing = { analyses: [], sent: [], foundPaths: [], ...compared };
  return mergeState(joinStates([document(state)]), { ...nothing, reuseDays: 90, now: NOW, ...run });
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

it('joined states have the newest analysis of a content for each set of sidekicks, and what was sent since', () => {
  const old = analysed('a', { at: daysAgo(9), submissionId: 'old' });
  const [forgotten, since] = [open('forgotten', ['a'], { at: daysAgo(8) }), open('since', ['a'], { at: daysAgo(1) })];
  const newest = analysed('a', { at: daysAgo(5), submissionId: 'newest' });
  const other = analysed('a', { at: daysAgo(2), sidekicks: 'x' });
  const all = [old, other, ...since, newest, ...forgotten];
  for (const order of [all, all.toReversed()]) {
    const { records } = joinStates(order.map((record) => document({ contents: [record] })));
    expect(records.get(sha('a'))?.toSorted((x, y) => (x.at < y.at ? 1 : -1))).toEqual([...since, other, newest]);
  }
});

it('joined states keep the result of an analysis, even if a nearer state calls it open', () => {
  const known = analysed('a', { submissionId: 's', at: daysAgo(2) });
  for (const other of [...open('s', ['a']), ...open('s', ['a'], { at: known.at })]) {
    const states = [other, known].map((record) => document({ contents: [record] }));
    expect(joinStates(states).records.get(sha('a'))).toEqual([known]);
  }
});

it('a failure that an earlier version saved is read as open', () => {
  const [record] = open('s', ['a']);
  expect(v.parse(ContentRecord, { ...record, kind: 'failed', message: 'It broke.' })).toEqual(record);
});

it('joined states have the paths of the nearest state, and each open record once', () => {
  const near = document({ paths: [pathRecord('p', 'a')], contents: open('s', ['a']) });
  const far = document({ paths: [pathRecord('p', 'b'), pathRecord('q', 'b')], contents: open('s', ['a', 'b']) });
  const { paths, records } = joinStates([near, far]);
  expect([...paths.values()]).toEqual(near.paths);
  expect([...records.values()].flat()).toEqual(open('s', ['a', 'b']));
});

const SENT = open('s', ['A'], { at: daysAgo(0.1), runId: '42' });
const MOVED = open('moved', ['A'], { at: daysAgo(0.1), runId: '42' });
const ANALYSED = analysed('A', {
  submissionId: 's',
  at: daysAgo(0.1),
  runId: '42',
  topics: undefined,
  versionNumber: undefined,
});
const DISMISSED = issue({ status: 'DISMISSED' });
const NEWER = analysed('A', { submissionId: 'newer', at: daysAgo(0.05) });
const LATER = open('later', ['A'], { at: daysAgo(0.01) });
const OTHERS = [
  ...open('sidekicks', ['A'], { sidekicks: 'x' }),
  ...open('film', ['A'], { category: 'video' }),
  ...open('text', ['A'], { category: 'document', name: 'a.txt' }),
  ...open('markdown', ['A'], { category: 'document', name: 'a.md' }),
];

type Records = readonly (ContentRecord | readonly ContentRecord[])[];

// biome-ignore format: a table
it.each<[title: string, before: Records, run: Partial<RunResults>, after: Records]>([
  ['a submission is open from its creation on', [], { sent: SENT }, [SENT]],
  ['of what was sent in the same moment, the later one comes first', [], { sent: [...SENT, ...MOVED] }, [MOVED, SENT]],
  ['a file that is sent again is open in both submissions', [open('old', ['A'])], { sent: SENT },
    [SENT, open('old', ['A'])]],
  ['an analysis has the time and the run of its sending', [], { sent: SENT, analyses: [read()] }, [ANALYSED]],
  ['an analysis that is read again keeps its time, with new statuses',
    [{ ...ANALYSED, at: daysAgo(50), issues: [issue()] }], { analyses: [read({ issues: [DISMISSED] })] },
    [{ ...ANALYSED, at: daysAgo(50), issues: [DISMISSED] }]],
  ['an analysis that was judged by its last known issues stays as it is', [{ ...ANALYSED, issues: [issue()] }],
    { analyses: [read({ outcome: 'last-known' })] }, [{ ...ANALYSED, issues: [issue()] }]],
  ['no failure is saved', [SENT], { analyses: [read({ outcome: 'failed' })] }, [SENT]],
  ['a failure never replaces an analysis', [ANALYSED], { analyses: [read({ outcome: 'unclear' })] }, [ANALYSED]],
  ['what is missing stays, until a newer analysis replaces it', [ANALYSED],
    { analyses: [read({ outcome: 'missing' })] }, [ANALYSED]],
  ['a result without an asset, of a sandbox, stays open', [SENT], { analyses: [read({ assetId: undefined })] }, [SENT]],
  ['a newer open record stays beside an analysis', [SENT, LATER], { analyses: [read()] }, [LATER, ANALYSED]],
  ['a newer analysis replaces what was sent before', [SENT, NEWER], {}, [NEWER]],
  ['records by other sidekicks, and of another type, stay', [SENT, OTHERS], { analyses: [read()] }, [ANALYSED, OTHERS]],
  ['open records go after 90 days',
    [open('s', ['B'], { at: daysAgo(90) }), open('s', ['C'], { at: daysAgo(89) })], {},
    [open('s', ['C'], { at: daysAgo(89) })]],
  ['`reuse-days` may keep them for longer', [open('s', ['B'], { at: daysAgo(90) })], { reuseDays: 365 },
    [open('s', ['B'], { at: daysAgo(90) })]],
  ['the records of a file that the run found stay', [open('s', ['A'], { at: daysAgo(99) })],
    { contents: [{ content: contentOf('A', 'a.png'), counted: undefined }] },
    [open('s', ['A'], { at: daysAgo(99) })]],
])('%s', (_, before, run, after) => {
  expect(merged({ contents: before.flat() }, run).contents).toEqual(after.flat());
});

function texts(length: number): Partial<Issue> {
  const names = ['id', 'summary', 'headline', 'status', 'ruleCode', 'sidekickId'];
  return Object.fromEntries(names.map((name) => [name, 'x'.repeat(length)]));
}

it('cuts long texts, and leaves out details and unknown fields, which may be a signed address or an image', () => {
  const long = issue({ ...texts(1_000), referenceNumber: 7, reasoning: 'z' });
  const halved = { ...issue({ summary: `${'x'.repeat(299)}😀` }), frameUrl: 'https://storage.test/frame?sig=0' };
  const topics = [{ title: 'x'.repeat(1_000), issueIds: ['1'] }];
  const [record] = merged({}, { sent: SENT, analyses: [read({ issues: [long, halved], topics })] }).contents;
  const expected = [issue({ ...texts(300), referenceNumber: 7 }), issue({ summary: `${'x'.repeat(299)}\ufffd` })];
  assert(record?.kind === 'analysed');
  expect(record.issues).toEqual(expected);
  expect(record.topics).toEqual([{ title: 'x'.repeat(300), issueIds: ['1'] }]);
});

it.each<[string, string, string | undefined, object]>([
  ['was judged', 'A', 's1', { submissionId: 's1', isPresent: true }],
  ['was judged with new bytes', 'C', 's1', { sha256: sha('C'), submissionId: 's1', isPresent: true }],
  ['was found and did not count', 'C', undefined, { isPresent: false }],
])('the record of a path that %s; one that was not found goes', (_, seed, counted, expected) => {
  const state = { paths: [pathRecord('here', 'A'), pathRecord('gone', 'B')] };
  const contents = [{ content: contentOf(seed, 'here'), counted }];
  expect(merged(state, { contents, foundPaths: ['here', 'new'] }).paths).toEqual([pathRecord('here', 'A', expected)]);
});

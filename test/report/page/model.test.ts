import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { asCsv, BOXES, type Box, type Entry, listEntries, startOf } from '../../../src/report/page/app/entries.ts';
import {
  find,
  formatView,
  NO_FILTER,
  readView,
  SORTS,
  usualBox,
  type View,
} from '../../../src/report/page/app/view.ts';
import type { Report } from '../../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../../builders/reports.ts';
import { anyReport, anyText } from '../arbitrary.ts';
import { failed } from '../samples.ts';

const NAMES = BOXES.map(([name]) => name);

const ACTIVE: View = { ...NO_FILTER, box: 'active', sort: 'severity' };

const entriesOf = (report: Report, box: Box): readonly Entry[] => find(listEntries(report), { ...ACTIVE, box }).entries;

const idsOf = (report: Report, view: Partial<View> = {}): readonly string[] =>
  find(listEntries(report), { ...ACTIVE, ...view }).entries.map(({ id }) => id);

it('the boxes have the numbers of the report', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const { boxes: counted } = find(listEntries(report), ACTIVE);
      const boxes = Object.fromEntries(counted.map(({ name, matches }) => [name, matches]));
      const { issues, failing, known, waived, ignored, filesMatched } = report.counts;
      expect(boxes).toMatchObject({ active: issues, stops: failing, others: issues - failing });
      expect(boxes).toMatchObject({ uncounted: known + waived + ignored, all: issues + known + waived + ignored });
      expect(boxes).toMatchObject({ files: filesMatched });
    }),
  );
});

it('the boxes begin with what stops the check, then sort by severity, new ones first; uncounted issues by their reason', () => {
  const issues = [
    anIssue({ referenceNumber: 1, severity: 'INFO' }),
    anIssue({ referenceNumber: 4, severity: 'INFO', isNew: true }),
    // With `fail-on-issues: new`, a new issue can stop the check while a more severe issue does not.
    anIssue({ referenceNumber: 5, severity: 'CRITICAL', failsGate: false }),
    anIssue({ referenceNumber: 2, severity: 'MAJOR', failsGate: true }),
    ...(['ignored', 'waived', 'known'] as const).map((standing) => anIssue({ referenceNumber: 3, standing })),
  ];
  const report = aReport({ contents: [aContent({ issues })] });
  expect(idsOf(report)).toEqual(['issue-2', 'issue-5', 'issue-4', 'issue-1']);
  expect(entriesOf(report, 'uncounted')).toMatchObject([
    { id: 'issue-3', issue: { standing: 'known' } },
    { id: 'issue-3-2', issue: { standing: 'waived' } },
    { id: 'issue-3-3', issue: { standing: 'ignored' } },
  ]);
});

const withIssue = [aContent({ issues: [anIssue()] })];
const causes = [aCause()];
it.each<[Box, string, Partial<Report>]>([
  ['active', 'issues and a problem', { causes, contents: withIssue }],
  ['problems', 'an error', { causes, contents: withIssue, verdict: 'error' }],
  ['problems', 'a skipped run', { causes, contents: withIssue, verdict: 'skipped' }],
  ['problems', 'a problem alone', { causes }],
  ['files', 'a run without either', {}],
])('the boxes open with %s for %s', (box, _, over) => {
  const report = aReport(over);
  expect(usualBox(listEntries(report), report)).toBe(box);
});

it('a dry run lists what would be sent, awaited and reused, and no problem in red, except for being a dry run', () => {
  const unread = { outcome: 'unjudged', analysedAt: undefined } as const;
  const causes = [aCause({ reason: 'dry-run' }), aCause({ message: 'It is empty.' })];
  const contents = [
    aContent({ source: 'not-sent', sourceReason: 'new', ...unread }),
    aContent({ source: 'awaited', sourceReason: 'sent 2026-11-14', ...unread }),
  ];
  const report = aReport({ verdict: 'skipped', reason: 'dry-run', causes, contents });
  const results = entriesOf(report, 'files').map(({ cells }) => cells['In this gate']);
  expect(results).toEqual(['would be sent: new', 'would be awaited: sent 2026-11-14']);
  expect(entriesOf(report, 'problems')).toMatchObject([{ title: 'It is empty.', icon: 'forgiven' }]);
});

it.each<[string, number | undefined]>([
  ['At 0:01 the voice says', 1],
  ['between 00:12 and 00:15', 12],
  ['At 1:02:03.', 3723],
  ['at 00:12.5', 12.5],
  ['at 0:01:05:12, with frames', 65],
  ['from 12 s on', 12],
  ['shown for 12 s', undefined],
  ['in 16:9 of 2026-01-02', undefined],
])('the first time in %j is %s', (text, expected) => {
  expect(startOf(anIssue({ headline: undefined, summary: text, reasoning: '9:59' }))).toBe(expected ?? 599);
});

it.each([
  ['web/HERO.png', ['issue-1043', 'issue-975']],
  ['#1043', ['issue-1043']],
  ['  narrator   sleeplessness ', ['issue-1042']],
  ['authorised medicines', ['issue-1042']],
  ['herbal upheld', ['issue-1042']],
  ['claims about sleep', ['issue-1042', 'issue-1031']],
  ['narrator poster', []],
  ['waiting for a person', ['issue-975']],
  ['5f0c2f6e', ['issue-1043', 'issue-975']],
  ['CRITICAL stops the check', ['issue-1042', 'issue-1043']],
  ['https://compliance.example/issues/1043', ['issue-1043']],
  // All are new and have this date, but these have a filter and an order.
  ['yes', []],
  ['2026-11-01', []],
])('the search for %j finds %j', (query, expected) => {
  expect(idsOf(failed, { query })).toEqual(expected);
});

it('the boxes have two other orders: by file, and newest first', () => {
  const late = anIssue({ referenceNumber: 1, updatedAt: '2026-11-09T10:00:00Z', severity: 'INFO' });
  const film = aContent({ paths: ['b.mp4'], isChanged: true, issues: [anIssue({ referenceNumber: 2 }), late] });
  const contents = [film, aContent({ paths: ['a.png'], isChanged: false, issues: [anIssue({ referenceNumber: 3 })] })];
  const orders = SORTS.map(([sort]) => idsOf(aReport({ contents }), { sort }).join(' ').replaceAll('issue-', ''));
  expect(orders).toEqual(['2 3 1', '3 2 1', '1 2 3']);
});

it('filters match an entry if each facet allows it or does not apply to it', () => {
  const chosen = { severity: ['CRITICAL', 'MAJOR'], folder: ['spots/'] };
  expect(idsOf(failed, { chosen })).toEqual(['issue-1042', 'issue-1031']);
  expect(idsOf(failed, { chosen: { ...chosen, status: ['dismissed'] } })).toEqual([]);
  expect(idsOf(failed, { chosen, box: 'files' })).toEqual(['file-1']);
  const ofFilm = ['issue-1042', 'issue-1031', 'issue-998'];
  for (const [name, value] of Object.entries({ checker: '', kind: 'video', changed: 'yes', folder: 'spots/' }))
    expect(idsOf(failed, { chosen: { [name]: [value] } })).toEqual(ofFilm);
  // A file is in the folders of all its paths.
  for (const folder of ['print/', 'web/'])
    expect(idsOf(failed, { chosen: { folder: [folder] } })).toEqual(['issue-1043', 'issue-975']);
});

it('the search finds a problem by what happened, what to do and its submission', () => {
  const causes = [aCause({ message: 'It is EMPTY.', submissionIds: ['s1'] }), aCause({ steps: [] })];
  for (const query of ['empty', 'author of the change: fix it', 's1'])
    expect(idsOf(aReport({ verdict: 'error', causes }), { query, box: 'problems' })).toEqual(['problem-1']);
});

it('filters sort severities by weight, folders by name, other values by number, and keep unmatched values', () => {
  const issues = (['INFO', 'INFO', 'INFO', 'MAJOR', 'MINOR'] as const).map((severity, index) =>
    anIssue({ severity, ruleCode: index === 0 ? 'RARE' : 'USUAL' }),
  );
  const others = [false, undefined].map((isChanged) =>
    aContent({ paths: ['a/y.png'], isChanged, issues: [anIssue()] }),
  );
  const contents = [aContent({ paths: ['b/x.png'], isChanged: true, issues }), ...others];
  const { facets } = find(listEntries(aReport({ contents })), { ...ACTIVE, box: 'others', query: 'rare' });
  // A facet with a single value is no choice, so folder and status are missing.
  expect(facets.map(({ name, values }) => [name, ...values])).toEqual([
    ['severity', ['MAJOR', 0], ['MINOR', 0], ['INFO', 1]],
    ['rule', ['USUAL', 0], ['RARE', 1]],
  ]);
  const all = find(listEntries(aReport({ contents })), ACTIVE);
  expect(all.facets.find(({ name }) => name === 'folder')?.values.join(' ')).toBe('a/,2 b/,5');
  expect(all.facets.find(({ name }) => name === 'changed')?.values.join(' ')).toBe('yes,5 no,1 unknown,1');
});

it('filters count for each box and each value the entries that choosing it shows', () => {
  const anyView = fc.record({
    box: fc.constantFrom(...NAMES),
    sort: fc.constantFrom(...SORTS.map(([name]) => name)),
    query: fc.constantFrom('', 'a', '<'),
    chosen: fc.record({ severity: fc.subarray(['CRITICAL', 'MAJOR', 'INFO']) }, { noNullPrototype: true }),
  });
  fc.assert(
    fc.property(anyReport, anyView, (report, view) => {
      const all = listEntries(report);
      const { boxes, facets } = find(all, view);
      for (const { name, matches } of boxes) expect(find(all, { ...view, box: name }).entries).toHaveLength(matches);
      for (const { name, values } of facets)
        for (const [value, matches] of values) {
          const alone = find(all, { ...view, chosen: { ...view.chosen, [name]: [value] } });
          expect(alone.entries).toHaveLength(matches);
        }
    }),
  );
});

// biome-ignore format: a table
it.each<[string, readonly string[], string]>([
  ['none for files at the top',          ['a.mp4', 'b.mp4'],                      ''],
  ['those of the first level',           ['spots/x/a.mp4', 'print/b.png'],        'print/ spots/'],
  ['the markets below a shared folder',  ['ads/it/a.mp4', 'ads/de/x/b.mp4'],      'ads/de/ ads/it/'],
])('the folders of the filter are %s', (_, paths, expected) => {
  const report = aReport({ contents: paths.map((path) => aContent({ paths: [path] })) });
  const folders = entriesOf(report, 'files').flatMap(({ values }) => values.folder ?? []);
  expect([...new Set(folders)].toSorted().join(' ')).toBe(expected);
});

it('the address keeps the view and its issue, whatever the names are', () => {
  const wellFormed = anyText.map((text) => text.toWellFormed());
  const anyView = fc.record({
    box: fc.constantFrom(...NAMES),
    sort: fc.constantFrom(...SORTS.map(([name]) => name)),
    query: wellFormed.map((text) => text.trim()),
    chosen: fc.record({ rule: fc.array(wellFormed, { minLength: 1 }) }),
    at: fc.option(fc.constantFrom('issue-1', 'file-2'), { nil: undefined }),
  });
  fc.assert(
    fc.property(anyView, (view) => {
      expect(readView(`#${formatView(view, 'active')}`, [], 'active')).toEqual(view);
    }),
  );
  expect(readView('#box=nothing&other=1&q=%E0%A4%A', [], 'files')).toMatchObject({ box: 'files', chosen: {} });
});

it.each([
  ['keeps its list if the list shows the entry', '#at=issue-1042&box=stops&q=cure', { box: 'stops', query: 'cure' }],
  ['opens the usual list if the list shows the entry', '#at=issue-1042', { box: 'active' }],
  ['opens the first list of the entry if no other shows it', '#at=issue-871', { box: 'uncounted', at: 'issue-871' }],
  ['drops a filter that hides the entry', '#at=issue-1042&box=stops&q=x&rule=y', { box: 'active', ...NO_FILTER }],
  ['keeps its list if the entry does not exist', '#at=issue-1&box=files', { box: 'files' }],
])('a link to an entry %s', (_, hash, expected) => {
  expect(readView(hash, listEntries(failed), 'active')).toMatchObject(expected);
});

it('the list as a table has a row for an issue, for a problem and for a file', () => {
  const url = 'https://service.example/1';
  const waiver = { owner: 'Dana Ito', reason: 'On the pack.', expires: '2027-03-31' };
  const texts = { headline: '=1', summary: 'It says "no".\nTwice.', reasoning: 'Because' };
  const service = { id: 'i', url, status: 'AWAITING_HUMAN_INPUT', referenceNumber: 7, sidekickId: 's-9' };
  const issues = [anIssue({ ...service, ...texts, waiver, isNew: true, updatedAt: '2026-11-03T1:00' })];
  const causes = [aCause({ submissionIds: ['s1'], paths: ['b.mp4'] })];
  const topics = ['One', 'Two'].map((title) => ({ title, issueIds: ['i'] }));
  const contents = [aContent({ paths: ['a,1.mp4', 'c.mp4'], issues, topics })];
  const report = aReport({ run: PULL_REQUEST_RUN, causes, contents });
  const boxes = ['active', 'problems', 'files'] as const;
  const rows = boxes.map((box) => asCsv(entriesOf(report, box), report).split('\r\n'));
  const ofIssue =
    'Severity,In this gate,new,Status at the service,Rule,Number,Headline,Summary,Reasoning,Topic,Checker';
  expect(rows[0]?.[0]).toBe(`\ufeff${ofIssue},Created,Updated,Waiver,Files,Link,Repository,Pull request,Run`);
  const files = '"a,1.mp4\nc.mp4"';
  const run = `acme/campaigns,7,${report.run.url}`;
  expect(rows.map(([, row]) => row)).toEqual([
    'CRITICAL,Stops the check,yes,waiting for a person at the service,' +
      `AD-101,#7,'=1,"It says ""no"".\nTwice.",Because,` +
      `"One\nTwo",s-9,2026-11-01,2026-11-03,Dana Ito until 2027-03-31: On the pack.,${files},${url},${run}`,
    `,Problem,,,,,It cannot be read. (Submission s1),Author of the change: Fix it.,,,,,,,b.mp4,,${run}`,
    `,1 issue,,,,,,"video, 12.3 MB, version 1",,,,,,,"a,1.mp4",,${run}`,
  ]);
});

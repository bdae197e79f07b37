import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { finderOf, firstRow, NO_FILTER } from '../../../src/report/page/app/find.ts';
import { asCsv, listRows, startOf } from '../../../src/report/page/app/rows.ts';
import type { Report } from '../../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../../builders/reports.ts';
import { anyReport, fullReport, HOSTILE_REPORTS, withTexts } from '../arbitrary.ts';
import { failed } from '../samples.ts';

it('a row of a list is a row of the CSV', () => {
  const texts = { headline: '=1', summary: 'It says "no".\nTwice.', reasoning: 'Because' };
  const service = { id: 'i', url: 'https://s.example/1', status: 'DISMISSED', referenceNumber: 7, sidekickId: 's-9' };
  const precedents = [{ url: 'https://r.example', title: 'Tea', decision: 'Upheld', date: '2024-03-13' }];
  const known = { standing: 'ignored', isNew: false, precedents } as const;
  const contents = [
    aContent({
      paths: ['ads/it/1,1.mp4', 'ads/de/c.mp4'],
      isChanged: true,
      versionNumber: 3,
      versionCount: 5,
      issues: [anIssue({ ...service, ...texts, ...known })],
      topics: ['One', 'Two'].map((title) => ({ title, issueIds: ['i'] })),
    }),
    aContent({
      paths: ['ads/x.png'],
      outcome: 'failed',
      category: undefined,
      mime: 'image/x',
      versionNumber: undefined,
    }),
  ];
  const causes = [aCause({ detail: 'Too dark.', path: 'ads/x.png', isChanged: false })];
  const report = aReport({ run: PULL_REQUEST_RUN, isPassing: false, causes, contents });
  const place = `acme/campaigns,7,${report.run.url}`;
  const folders = '"ads/it/\nads/de/"';
  expect(asCsv(listRows(report), report).split('\r\n')).toEqual([
    '\ufeffEffect,Severity,New,Changed here,Rule,Folder,Kind,Checker,' +
      'Number,Headline,Summary,Reasoning,Precedents,Topic,Status,Waiver,' +
      'Version,Files,Link,Repository,Pull request,Run',
    `Stops the check,,,no,,ads/,,,,It cannot be read.,Author of the change: Fix it.,Too dark.,,,,,,ads/x.png,,${place}`,
    `Does not count,CRITICAL,no,yes,AD-101,${folders},video,s-9,` +
      `#7,'=1,"It says ""no"".\nTwice.",Because,"Tea, Upheld, 2024-03-13","One\nTwo",dismissed,,` +
      `3 of 5,"ads/it/1,1.mp4\nads/de/c.mp4",https://s.example/1,${place}`,
    ...[
      ['ads/it/', '"1,1.mp4"', '"ads/it/1,1.mp4"'],
      ['ads/de/', 'c.mp4', 'ads/de/c.mp4'],
    ].map(
      ([folder, name, path]) =>
        `Does not count,,,yes,,${folder},video,,,${name},"1 issue: video, 12.3 MB, version 3 of 5",,,,,,3 of 5,${path},,${place}`,
    ),
    `Not judged,,,,,ads/,image/x,,,x.png,"Not judged: image/x, 12.3 MB",,,,,,,ads/x.png,,${place}`,
    '',
  ]);
});

/** Reads a table as a spreadsheet does: a quote counts at the start of a cell only. */
function cellsIn(csv: string, separator: string): readonly string[] {
  const cell = new RegExp(`(?:^|[${separator}\\r\\n])(?:"((?:[^"]|"")*)"?)?([^${separator}\\r\\n]*)`, 'g');
  return Array.from(csv.matchAll(cell), ([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest);
}

function expectNoFormula(report: Report): void {
  const csv = asCsv(listRows(report), report).slice(1);
  for (const separator of [',', ';', '\t'])
    expect(cellsIn(csv, separator).filter((cell) => /^["\s]*[=+\-@]/.test(cell))).toEqual([]);
}

it('no cell of the CSV is a formula, whatever the texts are and however a spreadsheet splits them', () => {
  const anyFormula = fc.string({ unit: fc.constantFrom(...Array.from('=+-@;,|"\' \t\r\na')) });
  for (const report of HOSTILE_REPORTS) expectNoFormula(report);
  fc.assert(fc.property(anyFormula, (text) => expectNoFormula(withTexts(fullReport(), () => text))));
});

it.each<[string, string, Partial<Record<string, readonly string[]>>]>([
  ['#1042 #1043 #1031 #998 #975 #871', '', {}],
  ['#1043 #975', 'web/HERO.png', {}],
  ['#1042', '  narrator   sleeplessness ', {}],
  ['#1042', 'herbal upheld', {}],
  ['#1042 #1031', 'claims about sleep', {}],
  ['', 'narrator poster', {}],
  ['#1042 #1031', '', { Severity: ['CRITICAL', 'MAJOR'], Folder: ['spots/'] }],
  ['#1043 #975', '', { Folder: ['web/'] }],
  ['#871', '', { Effect: ['Does not count'], Checker: [''] }],
])('the list shows %s for the search "%s" and what is chosen', (expected, query, chosen) => {
  const { rows } = finderOf(listRows(failed))({ list: 'issues', query, chosen });
  expect(rows.map(({ cells }) => cells.Number).join(' ')).toBe(expected);
});

it('a facet counts, for each of its values, the rows that the choice of this value alone shows', () => {
  const choice = fc.record({
    Severity: fc.subarray(['CRITICAL', 'MAJOR']),
    Effect: fc.subarray(['Counts', 'Not judged']),
  });
  const anyView = fc.record({
    list: fc.constantFrom('issues', 'files', 'problems'),
    query: fc.constantFrom('', 'a', '<'),
    chosen: choice,
  });
  fc.assert(
    fc.property(anyReport, anyView, (report, view) => {
      const find = finderOf(listRows(report));
      for (const { name, values } of find(view).facets)
        for (const [value, matches] of values)
          expect(find({ ...view, chosen: { ...view.chosen, [name]: [value] } }).rows).toHaveLength(matches);
    }),
  );
});

it('the values of a facet keep their order while a search narrows the list', () => {
  const { facets } = finderOf(listRows(failed))({ list: 'issues', ...NO_FILTER, query: 'poster' });
  expect(facets.slice(0, 2).map(({ values }) => values.map((value) => value.join(' ')).join(', '))).toEqual([
    'Stops the check 1, Counts 1, Does not count 0',
    'CRITICAL 1, MAJOR 0, MINOR 0, INFO 1',
  ]);
});

const minor = aContent({ issues: [anIssue({ severity: 'MINOR' })] });
const known = aContent({
  issues: [anIssue({ severity: 'MAJOR', standing: 'waived' }), anIssue({ standing: 'known' })],
});
const stopping = aContent({ issues: [anIssue({ severity: 'INFO', failsGate: true })] });
const unjudged = aContent({ outcome: 'unclear' });
const causes = [aCause()];
const clean = aContent({ sha256: 'f' });
it.each<[string, Partial<Report>, string | undefined]>([
  ['what stops the check', { causes, contents: [unjudged, minor, known, stopping] }, stopping.issues[0]?.id],
  ['what could not be judged', { causes, contents: [known, minor] }, 'problem-1'],
  ['a file that nobody checked', { verdict: 'skipped', contents: [known, unjudged] }, unjudged.sha256],
  ['a known CRITICAL', { contents: [minor, known] }, known.issues[1]?.id],
  ['the issues', { contents: [aContent(), minor] }, minor.issues[0]?.id],
  [
    'the files',
    { verdict: 'skipped', reason: 'no-key', causes: [aCause({ reason: 'no-key' })], contents: [clean] },
    'f',
  ],
  ['nothing', {}, undefined],
])('the page opens on %s', (_, report, expected) => {
  const first = firstRow(listRows(aReport(report)));
  expect(first?.listed?.issue.id ?? first?.content?.sha256 ?? first?.id).toBe(expected);
});

it.each([
  ['At 0:01 the voice says', 1],
  ['between 00:12.5 and 00:15', 12],
  ['At 1:02:03.', 3723],
  ['in 16:9, for 12 s, of 2026-01-02T10:00:00Z', 599],
])('the film starts at the first time in %j: %s s', (summary, expected) => {
  expect(startOf(anIssue({ headline: undefined, summary, reasoning: '9:59' }))).toBe(expected);
});

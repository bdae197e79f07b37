import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mediaToEmbed, renderPage } from '../../../src/report/page/page.ts';
import { type Report, type ReportedContent, renderJson } from '../../../src/report/report.ts';
import { aContent, anIssue, aReport } from '../../builders/reports.ts';
import { anyReport } from '../arbitrary.ts';

const DATA = /<script type="application\/json" id="report">([^<]*)<\/script>/;

/** The data of report.json, without its version. */
function jsonOf(report: Report): unknown {
  const { schemaVersion: _, ...data } = Object(JSON.parse(renderJson(report)));
  return data;
}

function dataOf(page: string): Report {
  return JSON.parse(DATA.exec(page)?.[1] ?? '');
}

const shown = (path: string, megabytes: number, over: Partial<ReportedContent> = {}): ReportedContent =>
  aContent({ paths: [path], size: megabytes * 1_000_000, mime: 'image/png', issues: [anIssue()], ...over });
const clean = (over: Partial<ReportedContent>): ReportedContent => shown('a', 6, { issues: [], ...over });

it.each([
  ['all that fit, worst first', [shown('a', 6), shown('b', 6)], ['a', 'b']],
  ['none without an issue', [clean({})], []],
  ['those that the service could not analyse', [clean({ outcome: 'failed' })], ['a']],
  ['those that were sent and not judged', [clean({ outcome: 'unclear' })], ['a']],
  ['none that was not sent', [clean({ outcome: 'unclear', source: 'not sent' })], []],
  ['no document', ['application/pdf', 'text/html'].map((mime) => shown('a', 6, { mime })), []],
  ['none above 30 MB', [shown('a', 31), shown('b', 30)], ['b']],
  ['smaller ones after one that no longer fits', [shown('a', 16), shown('b', 15), shown('c', 14)], ['a', 'c']],
])('media in the page: %s', (_, contents, expected) => {
  expect(mediaToEmbed(contents).map(({ paths }) => paths[0])).toEqual(expected);
});

it('without scripts, the page says the verdict and where else the results are', () => {
  const report = aReport({ contents: [shown('a', 6)], headline: '<1> critical issue' });
  const [, text] = /<noscript>(.*)<\/noscript>/s.exec(renderPage(report)) ?? [];
  expect(renderPage(report)).toContain('<title>FAIL: &#60;1&#62; critical issue</title>');
  expect(renderPage(report)).toContain('<h1>FAIL: &#60;1&#62; critical issue</h1>');
  expect(text).toContain(`<a href="${report.run.url}">summary of the run</a>`);
});

it('the policy of the page allows its own script and what it contains, and no request', () => {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(renderPage(aReport())) ?? [];
  const content = "default-src 'none'; style-src HASH; script-src HASH; img-src data:; media-src data:";
  const actions = "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  expect(policy.replaceAll(/'sha256-[\w+/=]+'/g, 'HASH')).toBe(`${content}; ${actions}`);
  expect(renderPage(aReport())).toContain('<meta name="referrer" content="no-referrer">');
});

it('the data of the page equal report.json, whatever the texts are, and open no element', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const page = renderPage(report);
      expect(dataOf(page)).toEqual(jsonOf(report));
      const rest = page.replace(DATA, '').replaceAll(/<(style|script)>.*?<\/\1>/gs, '');
      const names = [...rest.matchAll(/<\/?([^ >]*)/g)].map(([, name]) => name);
      const ours = '!doctype a body code div h1 head html meta noscript p title'.split(' ');
      expect(names.filter((name) => !ours.includes(name ?? ''))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

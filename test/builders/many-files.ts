import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { author } from '../../src/causes/cause.ts';
import type { EmbeddedMedia } from '../../src/report/page/page.ts';
import type { Report, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import { SEVERITIES, type Severity } from '../../src/service/issue.ts';
import { aContent, anIssue, aReport, PULL_REQUEST_RUN } from './reports.ts';

/** Builds the same report of any number of files every time, for tests and measurements. */

const MARKETS = ['it', 'de', 'fr', 'es', 'pl', 'us', 'jp', 'br'];
const KINDS = [
  { name: 'hero.mp4', mime: 'video/mp4', category: 'video', sample: 'campaign/hero.mp4' },
  { name: 'billboard.jpg', mime: 'image/jpeg', category: 'image', sample: 'campaign/billboard.jpg' },
  { name: 'radio.mp3', mime: 'audio/mpeg', category: 'audio', sample: 'podcast/intro.mp3' },
  { name: 'terms.pdf', mime: 'application/pdf', category: 'document', sample: 'legal/terms.pdf' },
] as const;

const RULES: readonly (readonly [code: string, Severity, headline: string])[] = [
  ['HEALTH-02', 'CRITICAL', 'A food may not be said to prevent a disease'],
  ['HEALTH-05', 'MAJOR', 'Recommendation by a health professional'],
  ['PRICE-03', 'MAJOR', 'The price leaves out the tax'],
  ['LEGIBLE-01', 'MINOR', 'Cannot be read'],
  ['BRAND-09', 'INFO', 'An old logo is shown'],
];
const SUMMARY = 'The drink is said to "prevent colds": a medicinal claim for a food.';

export function manyFiles(files: number, issuesPerFile = 5): Report {
  const contents = Array.from({ length: files }, (_, index) => assetAt(index, issuesPerFile));
  return aReport({
    contents: contents.toSorted((one, other) => worstRank(one) - worstRank(other)),
    nextSteps: [author('Fix the files, and push again.')],
    notices: ['The pattern `docs/**/*.pdf` matched no file.'],
    run: PULL_REQUEST_RUN,
  });
}

function worstRank({ issues }: ReportedContent): number {
  const active = issues.filter(({ standing }) => standing === 'active');
  return Math.min(9, ...active.map((issue) => (issue.failsGate ? 0 : 1 + SEVERITIES.indexOf(issue.severity))));
}

function assetAt(index: number, issuesPerFile: number): ReportedContent {
  const { name, sample, ...kind } = KINDS[index % KINDS.length] ?? KINDS[0];
  const market = MARKETS[Math.floor(index / KINDS.length) % MARKETS.length];
  const isSecondVersion = index % 3 === 0;
  // Every tenth file has no issue.
  const number = index % 10 === 9 ? 0 : issuesPerFile;
  const issues = Array.from({ length: number }, (_, at) => issueAt(index * issuesPerFile + at, kind.category));
  return aContent({
    ...kind,
    paths: [`campaign/${market}/${String(index).padStart(4, '0')}/${name}`],
    size: sampleOf(sample).length,
    sha256: createHash('sha256').update(String(index)).digest('hex'),
    sourceReason: isSecondVersion ? 'changed' : 'new',
    versionNumber: isSecondVersion ? 2 : 1,
    issues: issues.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
  });
}

function issueAt(number: number, category: (typeof KINDS)[number]['category']): ReportedIssue {
  // Each rule is rarer than the next one.
  const rule = RULES[Math.min(4, Math.floor(5 * Math.sqrt(((number * 7919) % 1000) / 1000)))];
  if (!rule) throw new Error('There is no rule.');
  const [ruleCode, severity, headline] = rule;
  const isWaived = number % 41 === 0;
  const isClosed = !isWaived && number % 29 === 0;
  return anIssue({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    ruleCode,
    severity,
    headline,
    // Only video and audio have times.
    summary: ['video', 'audio'].includes(category) ? `${SUMMARY} It happens at 0:01 of the file.` : SUMMARY,
    reasoning: 'No authorised health claim covers it, and rewording does not make it lawful: the sentence has to go.',
    status: isClosed ? 'DISMISSED' : number % 7 === 0 ? 'ACKNOWLEDGED' : 'OPEN',
    referenceNumber: 1_000 + number,
    standing: isWaived ? 'waived' : isClosed ? 'ignored' : 'active',
    url: `https://compliance.example.com/issues/${1_000 + number}`,
    waiver: isWaived ? { owner: 'Dana Ito, Legal', reason: 'Printed on the pack.', expires: '2027-03-31' } : undefined,
  });
}

function sampleOf(name: string): Buffer {
  return readFileSync(new URL(`../../examples/media/${name}`, import.meta.url));
}

/** The media that the page embeds for these files. */
export function sampleMedia(contents: readonly ReportedContent[]): EmbeddedMedia {
  return new Map(
    contents.map(({ sha256, mime, size }) => {
      const { sample } = KINDS.find((kind) => kind.mime === mime) ?? KINDS[0];
      return [sha256, `data:${mime};base64,${sampleOf(sample).subarray(0, size).toString('base64')}`];
    }),
  );
}

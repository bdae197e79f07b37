import { readFileSync } from 'node:fs';
import { author } from '../../src/causes/cause.ts';
import type { Report, ReportedContent } from '../../src/report/report.ts';
import { aContent, anIssue, aReport, PULL_REQUEST_RUN } from './reports.ts';

const KINDS = [
  { name: 'hero.mp4', mime: 'video/mp4', category: 'video', sample: 'campaign/hero.mp4' },
  { name: 'billboard.jpg', mime: 'image/jpeg', category: 'image', sample: 'campaign/billboard.jpg' },
  { name: 'radio.mp3', mime: 'audio/mpeg', category: 'audio', sample: 'podcast/intro.mp3' },
  { name: 'terms.pdf', mime: 'application/pdf', category: 'document', sample: 'legal/terms.pdf' },
] as const;

const ISSUES = [
  { severity: 'CRITICAL', ruleCode: 'HEALTH-02', headline: 'A food may not be said to prevent a disease' },
  { severity: 'MAJOR', ruleCode: 'PRICE-03', headline: 'The price leaves out the tax' },
  { severity: 'MINOR', ruleCode: 'LEGIBLE-01', headline: 'Cannot be read', status: 'ACKNOWLEDGED' },
  { severity: 'MAJOR', ruleCode: 'HEALTH-05', headline: 'Closed by a person', standing: 'ignored' },
  {
    severity: 'INFO',
    ruleCode: 'BRAND-09',
    headline: 'An old logo is shown',
    summary: 'It happens at 0:01 of the file.',
  },
] as const;

/** A report of so many files of four kinds, each with so many issues. */
export function manyFiles(files: number, issuesPerFile = 5): Report {
  return aReport({
    contents: Array.from({ length: files }, (_, index) => contentAt(index, issuesPerFile)),
    nextSteps: [author('Fix the files, and push again.')],
    notices: ['The pattern `docs/**/*.pdf` matched no file.'],
    run: PULL_REQUEST_RUN,
  });
}

function contentAt(index: number, issues: number): ReportedContent {
  const { name, sample, ...kind } = KINDS[index % KINDS.length] ?? KINDS[0];
  return aContent({
    ...kind,
    paths: [`campaign/market-${index % 12}/${String(index).padStart(4, '0')}/${name}`],
    size: sampleOf(sample).length,
    issues: Array.from({ length: issues }, (_, at) =>
      anIssue({ ...ISSUES[at % ISSUES.length], referenceNumber: 1_000 + index * issues + at }),
    ),
  });
}

function sampleOf(name: string): Buffer {
  return readFileSync(new URL(`../../examples/media/${name}`, import.meta.url));
}

/** The media that the page embeds for these files. */
export function sampleMedia(contents: readonly ReportedContent[]): ReadonlyMap<string, string> {
  return new Map(
    contents.map(({ sha256, mime, size }) => {
      const { sample } = KINDS.find((kind) => kind.mime === mime) ?? KINDS[0];
      return [sha256, `data:${mime};base64,${sampleOf(sample).subarray(0, size).toString('base64')}`];
    }),
  );
}

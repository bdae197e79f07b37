import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { headline, nextSteps } from '../../src/report/headline.ts';
import type { EmbeddedMedia } from '../../src/report/page/media.ts';
import type { Report, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import { SEVERITIES, type Severity } from '../../src/service/issue.ts';

/** A report about as many files as wanted, always the same: for pictures, measurements and tests. */

const MARKETS = ['it', 'de', 'fr', 'es', 'pl', 'us', 'jp', 'br'];
const COUNTRIES = ['Italy', 'Germany', 'France', 'Spain', 'Poland', 'the United States', 'Japan', 'Brazil'];
const KINDS = [
  { name: 'hero.mp4', mime: 'video/mp4', category: 'video', sample: 'campaign/hero.mp4' },
  { name: 'billboard.jpg', mime: 'image/jpeg', category: 'image', sample: 'campaign/billboard.jpg' },
  { name: 'radio.mp3', mime: 'audio/mpeg', category: 'audio', sample: 'podcast/intro.mp3' },
  { name: 'terms.pdf', mime: 'application/pdf', category: 'document', sample: 'legal/terms.pdf' },
] as const;

interface Rule {
  readonly code: string;
  readonly severity: Severity;
  readonly headline: string;
  readonly summary: string;
  /** The summary for an image or a document, in which nothing happens at a time. */
  readonly still?: string;
  readonly reasoning: string;
}

const RULES: readonly Rule[] = [
  {
    code: 'HEALTH-02',
    severity: 'CRITICAL',
    headline: 'A food may not be said to prevent a disease',
    summary: 'At 0:01 the voice-over says that the drink "prevents colds": a medicinal claim for a food.',
    still: 'The text says that the drink "prevents colds": a medicinal claim for a food.',
    reasoning:
      'The claim is the main message. No authorised health claim covers it, and rewording does not make it lawful: the sentence has to go.',
  },
  {
    code: 'HEALTH-05',
    severity: 'MAJOR',
    headline: 'Recommendation by a health professional',
    summary: 'At 0:02 a person in a white coat recommends the product.',
    still: 'A person in a white coat recommends the product.',
    reasoning:
      'The coat and the stethoscope suggest a doctor. A recommendation by an individual health professional is not allowed for a food.',
  },
  {
    code: 'PRICE-03',
    severity: 'MAJOR',
    headline: 'The price leaves out the tax',
    summary: 'The price in the lower right corner is net. Consumers have to see what they pay.',
    reasoning:
      'A price that is shown to consumers has to include value added tax and all charges that cannot be avoided.',
  },
  {
    code: 'LEGIBLE-01',
    severity: 'MINOR',
    headline: 'Cannot be read',
    summary: 'The footnote at 0:01 is shown for 0.8 seconds.',
    still: 'The footnote is 5 pixels high.',
    reasoning: 'Nineteen words have to be readable on a phone.',
  },
  {
    code: 'BRAND-09',
    severity: 'INFO',
    headline: 'An old logo is shown',
    summary: 'The logo in the lower right corner was replaced in 2025.',
    reasoning: 'The brand guide of 2025 asks for the round logo in all new material.',
  },
];

export function manyFiles(files: number, issuesPerFile = 5): Report {
  const assets = Array.from({ length: files }, (_, index) => assetAt(index, issuesPerFile)).toSorted(
    (one, other) => worstRank(one) - worstRank(other),
  );
  const issues = assets.flatMap((asset) => asset.issues);
  const active = issues.filter(({ standing }) => standing === 'active');
  const of = (severity: Severity): number => active.filter((issue) => issue.severity === severity).length;
  const bySeverity = { CRITICAL: of('CRITICAL'), MAJOR: of('MAJOR'), MINOR: of('MINOR'), INFO: of('INFO') };
  const failing = issues.filter(({ failsGate }) => failsGate).length;
  const judged = {
    verdict: 'fail',
    isPassing: false,
    mode: 'live',
    lastKnown: undefined,
    causes: [],
    counts: {
      issues: active.length,
      bySeverity,
      newIssues: active.length,
      known: 0,
      waived: issues.filter(({ standing }) => standing === 'waived').length,
      ignored: issues.filter(({ standing }) => standing === 'ignored').length,
      failing,
      filesMatched: files,
      filesSubmitted: files,
      filesReused: 0,
      assetsFailed: 0,
    },
    assets,
  } as const;
  const sentences = { ...judged, keepsState: true, waiversFile: undefined, serviceHost: 'compliance.example.com' };
  return {
    gate: 'media-compliance',
    judgedAt: '2026-11-14T09:41:00Z',
    fullReport: 'artifact media-compliance-report of this run',
    reason: 'issues',
    ...judged,
    headline: headline(sentences),
    nextSteps: nextSteps(sentences),
    notices: ['The pattern `docs/**/*.pdf` matched no file.'],
    policy: { failOnSeverity: 'CRITICAL', failOnIssues: 'all', ignoreStatuses: ['RESOLVED', 'DISMISSED'] },
    submission: { id: '11111111-1111-4111-8111-111111111111', status: 'complete', workflowId: undefined },
    docs: undefined,
    run: {
      repository: 'acme/campaigns',
      commit: '0123456789abcdef0123456789abcdef01234567',
      ref: 'refs/pull/7/merge',
      event: 'pull_request',
      url: 'https://github.com/acme/campaigns/actions/runs/1',
      serverUrl: 'https://github.com',
      branch: 'autumn',
      pullRequest: { number: 7, headCommit: 'fedcba9876543210fedcba9876543210fedcba98' },
    },
    highestSeverity: 'CRITICAL',
  };
}

function worstRank({ issues }: ReportedContent): number {
  const active = issues.filter(({ standing }) => standing === 'active');
  return Math.min(9, ...active.map((issue) => (issue.failsGate ? 0 : 1 + SEVERITIES.indexOf(issue.severity))));
}

function assetAt(index: number, issuesPerFile: number): ReportedContent {
  const kind = KINDS[index % KINDS.length] ?? KINDS[0];
  const market = MARKETS[Math.floor(index / KINDS.length) % MARKETS.length] ?? 'it';
  const bytes = readFileSync(sampleFile(kind.sample));
  const isSecondVersion = index % 3 === 0;
  // Some files are clean, as in any run.
  const number = index % 10 === 9 ? 0 : issuesPerFile;
  const issues = Array.from({ length: number }, (_, at) =>
    issueAt(index * issuesPerFile + at, { market, category: kind.category }),
  );
  return {
    paths: [`campaign/${market}/${String(index).padStart(4, '0')}/${kind.name}`],
    size: bytes.length,
    sha256: createHash('sha256').update(String(index)).digest('hex'),
    mime: kind.mime,
    category: kind.category,
    source: 'sent',
    sourceReason: isSecondVersion ? 'changed' : 'new',
    isPaidAgain: false,
    analysedAt: '2026-11-14T09:30:00Z',
    submissionId: '11111111-1111-4111-8111-111111111111',
    assetId: `22222222-2222-4222-8222-${String(index).padStart(12, '0')}`,
    versionNumber: isSecondVersion ? 2 : 1,
    versionCount: undefined,
    retries: 0,
    outcome: 'judged',
    issues: issues.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    fixed:
      isSecondVersion && number > 0 ? [issueAt(1_000_000 + index, { market, category: kind.category })] : undefined,
    topics: [],
  };
}

interface SampleFile {
  readonly market: string;
  readonly category: (typeof KINDS)[number]['category'];
}

function issueAt(number: number, { market, category }: SampleFile): ReportedIssue {
  // Each rule is rarer than the next one.
  const rule = RULES[Math.min(4, Math.floor(5 * Math.sqrt(((number * 7919) % 1000) / 1000)))] ?? RULES[4];
  if (!rule) throw new Error('There is no rule.');
  const country = COUNTRIES[MARKETS.indexOf(market)] ?? '';
  const isWaived = number % 41 === 0;
  const isClosed = !isWaived && number % 29 === 0;
  const standing = isWaived ? 'waived' : isClosed ? 'ignored' : 'active';
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    summary: `${category === 'video' || category === 'audio' ? rule.summary : (rule.still ?? rule.summary)} The material is for ${country}.`,
    severity: rule.severity,
    reportedSeverity: rule.severity,
    status: isClosed ? 'DISMISSED' : number % 7 === 0 ? 'ACKNOWLEDGED' : 'OPEN',
    ruleCode: rule.code,
    referenceNumber: 1_000 + number,
    sidekickId: undefined,
    headline: rule.headline,
    reasoning: rule.reasoning,
    precedents:
      rule.severity === 'CRITICAL'
        ? [
            {
              url: 'https://rulings.example/2025/0412',
              title: 'Ginger shot, "keeps the flu away"',
              decision: 'Upheld',
              date: '2025-03-06',
            },
          ]
        : [],
    createdAt: '2026-11-14T09:30:00Z',
    updatedAt: '2026-11-14T09:30:00Z',
    standing,
    isNew: undefined,
    failsGate: standing === 'active' && rule.severity === 'CRITICAL',
    url: `https://compliance.example.com/issues/${1_000 + number}`,
    waiver: isWaived
      ? { owner: 'Dana Ito, Legal', reason: 'Printed separately on the pack.', expires: '2027-03-31' }
      : undefined,
  };
}

function sampleFile(name: string): string {
  return fileURLToPath(new URL(`../../examples/media/${name}`, import.meta.url));
}

/** The bytes that the page shows for these files, by the SHA-256 of the content. */
export function sampleMedia(assets: readonly ReportedContent[]): ReadonlyMap<string, EmbeddedMedia> {
  return new Map(
    assets.map(({ sha256, mime }) => {
      const sample = KINDS.find((kind) => kind.mime === mime)?.sample ?? KINDS[0].sample;
      return [sha256, { mime, bytes: readFileSync(sampleFile(sample)) }];
    }),
  );
}

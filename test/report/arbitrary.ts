import * as fc from 'fast-check';
import { author } from '../../src/causes/cause.ts';
import type { Report, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import { OUTCOMES } from '../../src/service/analysis.ts';
import { SEVERITIES } from '../../src/service/issue.ts';
import type { Standing } from '../../src/verdict/judge-issues.ts';
import { aCause, aContent, anIssue, aReport, HOSTILE_TEXTS, PULL_REQUEST_RUN } from '../builders/reports.ts';

export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...Array.from('<>&"\'`*_[]()#!|~\\^$:/@-+=. \n1a')), maxLength: 30 }),
);

const VERDICTS = ['pass', 'fail', 'error', 'skipped'] as const;
const MODES = ['live', 'sandbox', ''] as const;
const STANDINGS: readonly Standing[] = ['active', 'known', 'ignored', 'waived'];
const SOURCES = ['sent', 'reused', 'awaited', 'not sent'] as const;
const CATEGORIES = ['video', 'audio', 'image', 'document', undefined] as const;
/** Texts of our own. All other texts of a report, except ids and hashes, come from outside. */
const OTHERS = ['all', 'issues', 'service', 'author', 'workflow owner', 'anyone', 'pull request', 'branch'];
const OURS = new Set<unknown>([SEVERITIES, VERDICTS, MODES, STANDINGS, SOURCES, OUTCOMES, CATEGORIES, OTHERS].flat());
const ID = /^(?:[0-9a-f-]{36}|[0-9a-f]{64})$/;

/** Replaces every text in the report that comes from outside. */
export function withTexts(report: Report, next: () => string): Report {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return OURS.has(value) || ID.test(value) ? value : next();
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner)]));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts have changed
  return replace(report) as Report;
}

/** Optional fields. A generated issue, file or report has all of them or none. */
const WAIVER = { owner: 'x', reason: 'x', expires: 'x' };
const PRECEDENTS = [{ url: 'x', title: 'x', decision: 'x', date: 'x' }];
const FULL_ISSUE = { sidekickId: 'x', url: 'x', precedents: PRECEDENTS, waiver: WAIVER };
const BARE_ISSUE = { whyNotWaived: 'x', referenceNumber: undefined, headline: undefined, reasoning: undefined };
const BARE_CONTENT = { analysedAt: undefined, assetId: undefined, versionNumber: undefined };
const FULL_REPORT: Partial<Report> = {
  nextSteps: [
    { actor: 'author', text: 'x' },
    { actor: 'workflow owner', text: 'x' },
    { actor: 'anyone', text: 'x' },
  ],
  causes: [
    aCause({ reason: 'service', message: 'x', detail: 'x', steps: [author('x')], path: 'x' }),
    aCause({ reason: 'service', message: 'x', steps: [author('x')] }),
  ],
  notices: ['x', 'x'],
  unchecked: ['x', 'y'],
  submission: { id: 'x', status: 'x', mayExistTwice: false },
  waiversFile: 'x',
  contact: 'x',
  run: PULL_REQUEST_RUN,
};

function fullContent(issues: readonly ReportedIssue[]): Partial<ReportedContent> {
  return { isLastKnown: true, versionCount: 5, topics: [{ title: 'x', issueIds: issues.map(({ id }) => id) }] };
}

/** A report in which every optional field is set. */
export function fullReport(): Report {
  const issues = [anIssue(FULL_ISSUE)];
  return aReport({ ...FULL_REPORT, contents: [aContent({ paths: ['x', 'y'], issues, ...fullContent(issues) })] });
}

/** For each hostile text, a report in which every text from outside is this text. */
export const HOSTILE_REPORTS = HOSTILE_TEXTS.map((text) => withTexts(fullReport(), () => text));

const anyIssue = fc
  .record({
    severity: fc.constantFrom(...SEVERITIES),
    standing: fc.constantFrom(...STANDINGS),
    isNew: fc.constantFrom(true, false, undefined),
    isFull: fc.boolean(),
  })
  .map(({ isFull, ...over }) => anIssue({ ...over, ...(isFull ? FULL_ISSUE : BARE_ISSUE) }));

const anyAsset = fc
  .record({
    paths: fc.constantFrom<ReportedContent['paths'][]>(['x'], ['x', 'x'], ['x', 'x', 'x']),
    isChanged: fc.constantFrom(true, false, undefined),
    size: fc.nat(),
    category: fc.constantFrom(...CATEGORIES),
    source: fc.constantFrom(...SOURCES),
    outcome: fc.constantFrom(...OUTCOMES),
    issues: fc.array(anyIssue, { maxLength: 4 }),
    isFull: fc.boolean(),
  })
  .map(({ isFull, ...over }) => aContent({ ...over, ...(isFull ? fullContent(over.issues) : BARE_CONTENT) }));

export const anyReport: fc.Arbitrary<Report> = fc
  .record({
    verdict: fc.constantFrom(...VERDICTS),
    isPassing: fc.boolean(),
    mode: fc.constantFrom(...MODES),
    contents: fc.array(anyAsset, { maxLength: 4 }),
    isFull: fc.boolean(),
    texts: fc.array(anyText, { minLength: 1, maxLength: 50 }),
  })
  .map(({ isFull, texts, ...over }) => {
    let used = 0;
    return withTexts(aReport({ ...over, ...(isFull && FULL_REPORT) }), () => texts[used++ % texts.length] ?? '');
  });

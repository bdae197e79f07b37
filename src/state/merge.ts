import type { ContentResult } from '../service/asset-outcome.ts';
import type { Issue } from '../service/issue.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  isYounger,
  KEEP_DAYS,
  KEEP_OPEN_DAYS,
  type KnownContent,
  type KnownPath,
  type OpenRecord,
  type StateDocument,
} from './document.ts';
import type { EarlierState } from './earlier-state.ts';

/** What one run found out. */
export interface RunResults {
  /** Every path that it looked at, with the sha256 of its content; undefined if that is unknown. */
  readonly seen: ReadonlyMap<string, string | undefined>;
  /** Whether a path that it did not look at is there, and left to another gate of the same name. */
  readonly isOthers: (path: string) => boolean;
  /** Analyses that this run only read again: they keep their date. */
  readonly reused: readonly ContentResult[];
  readonly analysed: readonly ContentResult[];
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly (OpenSubmission & { readonly createdAt: string })[];
  readonly settings: string;
}

export interface MergeRules {
  readonly reuseDays: number;
  readonly now: Date;
}

/** What the next run has to know: all that was known, and what this run adds. */
export function mergeState(earlierState: EarlierState, run: RunResults, rules: MergeRules): StateDocument {
  const analyses = analysesOf(earlierState, run, rules.now);
  const paths = keptPaths(earlierState, run, analyses, rules.now);
  return {
    contents: keptContents(earlierState, run, analyses, paths, rules),
    paths,
    open: stillOpen(earlierState, run, rules.now),
  };
}

/** A content that this run knows the analysis of, and where it lies. */
interface KnownAnalysis {
  readonly content: KnownContent;
  readonly paths: readonly string[];
}

function analysesOf(
  earlierState: EarlierState,
  { reused, analysed, settings }: RunResults,
  now: Date,
): readonly KnownAnalysis[] {
  const learn = (result: ContentResult, analysedAt: string): readonly KnownAnalysis[] => {
    const content = knownContent(result, settings, analysedAt);
    return content ? [{ content, paths: result.content.paths }] : [];
  };
  const time = now.toISOString();
  return [
    ...reused.flatMap((result) =>
      learn(result, earlierState.analysis(result.content.sha256, settings)?.analysedAt ?? time),
    ),
    ...analysed.flatMap((result) => learn(result, time)),
  ];
}

function knownContent(result: ContentResult, settings: string, analysedAt: string): KnownContent | undefined {
  const { content, outcome, submissionId, assetId, versionGroupId, versionNumber, issues } = result;
  if (outcome !== 'judged' || assetId === undefined) return undefined;
  return {
    sha256: content.sha256,
    name: content.name,
    submissionId,
    assetId,
    analysedAt,
    settings,
    ...(versionGroupId !== undefined && { versionGroupId }),
    ...(versionNumber !== undefined && { versionNumber }),
    issues: issues.map(shortened),
  };
}

const MAX_TEXT_LENGTH = 300;

/** Field by field, because unknown fields may be large or secret. */
function shortened(issue: Issue): Issue {
  return {
    id: cut(issue.id),
    severity: issue.severity,
    reportedSeverity: cut(issue.reportedSeverity),
    status: cut(issue.status),
    ruleCode: cut(issue.ruleCode),
    summary: cut(issue.summary),
    headline: issue.headline && cut(issue.headline),
    referenceNumber: issue.referenceNumber,
    sidekickId: issue.sidekickId && cut(issue.sidekickId),
    reasoning: undefined,
    precedents: [],
    createdAt: undefined,
    updatedAt: undefined,
  };
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

function keptPaths(
  earlierState: EarlierState,
  { seen, isOthers }: RunResults,
  analyses: readonly KnownAnalysis[],
  now: Date,
): KnownPath[] {
  const time = now.toISOString();
  const paths = new Map(
    earlierState.paths.map((known): [string, KnownPath] => {
      const { path } = known;
      if (!seen.has(path)) return [path, { ...known, isPresent: known.isPresent && isOthers(path) }];
      // What this branch held when it was last judged goes on to count until the new bytes are judged.
      return [path, { ...known, seenAt: time, isPresent: known.isPresent || seen.get(path) === known.sha256 }];
    }),
  );
  for (const { content, paths: analysed } of analyses) {
    const { sha256, submissionId } = content;
    for (const path of analysed) paths.set(path, { path, sha256, submissionId, seenAt: time, isPresent: true });
  }
  return [...paths.values()].filter(({ seenAt }) => isYounger(seenAt, KEEP_DAYS, now));
}

function keptContents(
  earlierState: EarlierState,
  { settings }: RunResults,
  analyses: readonly KnownAnalysis[],
  paths: readonly KnownPath[],
  { reuseDays, now }: MergeRules,
): KnownContent[] {
  const contents = new Map(earlierState.contents.map((content) => [keyOf(content), content]));
  for (const { content } of analyses) contents.set(keyOf(content), content);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  return [...contents.values()].filter(
    (content) =>
      (inUse.has(content.sha256) && content.settings === settings) ||
      isYounger(content.analysedAt, Math.max(reuseDays, KEEP_DAYS), now),
  );
}

function keyOf({ sha256, settings }: KnownContent): string {
  return `${sha256} ${settings}`;
}

/**
 * What was sent and not judged is looked for again, even if the service calls it finished or failed: its results may be
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again.
 */
function stillOpen(earlierState: EarlierState, run: RunResults, now: Date): OpenRecord[] {
  const results = new Map([...run.reused, ...run.analysed].map((result) => [result.content.sha256, result]));
  const isJudged = (sha256: string): boolean => results.get(sha256)?.outcome === 'judged';
  const records = new Map<string, OpenRecord>();
  const keep = (record: Omit<OpenRecord, 'contents'>, content: OpenRecord['contents'][number]): void => {
    const { submissionId, createdAt, settings } = record;
    const kept = records.get(submissionId) ?? { submissionId, createdAt, settings, contents: [] };
    kept.contents.push({ sha256: content.sha256, name: content.name });
    records.set(submissionId, kept);
  };

  const dealtWith = new Set<string>();
  for (const { submissionId, createdAt, contents } of run.submissions) {
    for (const content of contents) {
      dealtWith.add(content.sha256);
      // A retry may have gone on in another submission.
      const id = results.get(content.sha256)?.submissionId ?? submissionId;
      if (!isJudged(content.sha256)) keep({ submissionId: id, createdAt, settings: run.settings }, content);
    }
  }
  for (const record of earlierState.open) {
    for (const content of record.contents) {
      const isSettled = dealtWith.has(content.sha256) || isJudged(content.sha256);
      if (record.settings !== run.settings || !isSettled) keep(record, content);
    }
  }
  return [...records.values()].filter(({ createdAt }) => isYounger(createdAt, KEEP_OPEN_DAYS, now));
}

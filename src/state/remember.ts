import type { ContentResult } from '../service/collect.ts';
import type { Issue } from '../service/issue.ts';
import type { OpenSubmission } from '../service/submit.ts';
import type { KnownContent, KnownPath, OpenRecord, RememberedIssue, StateDocument } from './document.ts';
import type { Knowledge } from './knowledge.ts';

/** A path that is gone may come back with a revert, and a content with its path. */
const KEEP_DAYS = 90;
/** After that an analysis that never ended is not waited for any more. */
const KEEP_OPEN_DAYS = 7;
const DAY_MS = 86_400_000;

export interface Remembered {
  readonly results: readonly ContentResult[];
  /** Contents whose analysis this run only read again: they keep their date. */
  readonly reused: ReadonlySet<string>;
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly { readonly submission: OpenSubmission; readonly createdAt: string }[];
  readonly settings: string;
}

/** What the next run has to know: all that was known, and what this run adds. */
export function remember(knowledge: Knowledge, run: Remembered, reuseDays: number, now: Date): StateDocument {
  const judged = run.results.filter(({ outcome }) => outcome === 'judged');
  const contents = new Map(knowledge.contents.map((content) => [content.sha256, content]));
  const paths = new Map(knowledge.paths.map((path) => [path.path, path]));
  for (const result of judged) {
    const known = contents.get(result.content.sha256);
    const keepsDate = run.reused.has(result.content.sha256) && known;
    const content = knownContent(
      result,
      keepsDate ? known.settings : run.settings,
      keepsDate ? known.analysedAt : now.toISOString(),
    );
    if (!content) continue;
    contents.set(content.sha256, content);
    for (const path of result.content.paths) {
      paths.set(path, { path, sha256: content.sha256, submissionId: content.submissionId, seenAt: now.toISOString() });
    }
  }
  const keptPaths = [...paths.values()].filter(({ seenAt }) => isYounger(seenAt, KEEP_DAYS, now));
  return {
    contents: keptContents([...contents.values()], keptPaths, Math.max(reuseDays, KEEP_DAYS), now),
    paths: keptPaths,
    open: stillOpen(knowledge, run, now),
  };
}

function knownContent(result: ContentResult, settings: string, analysedAt: string): KnownContent | undefined {
  const { content, submissionId, assetId, versionGroupId, versionNumber, issues } = result;
  if (assetId === undefined) return undefined;
  return {
    sha256: content.sha256,
    submissionId,
    assetId,
    analysedAt,
    settings,
    ...(versionGroupId !== undefined && { versionGroupId }),
    ...(versionNumber !== undefined && { versionNumber }),
    issues: issues.map(rememberedIssue),
  };
}

const LONGEST_TEXT = 300;

function rememberedIssue(issue: Issue): RememberedIssue {
  const { id, severity, severityAsTold, status, ruleCode, summary, headline, referenceNumber, sidekickId } = issue;
  return {
    id,
    severity,
    severityAsTold,
    status,
    ruleCode,
    summary: summary.slice(0, LONGEST_TEXT),
    ...(headline !== undefined && { headline: headline.slice(0, LONGEST_TEXT) }),
    ...(referenceNumber !== undefined && { referenceNumber }),
    ...(sidekickId !== undefined && { sidekickId }),
  };
}

function keptContents(
  contents: readonly KnownContent[],
  paths: readonly KnownPath[],
  days: number,
  now: Date,
): KnownContent[] {
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  return contents.filter(({ sha256, analysedAt }) => inUse.has(sha256) || isYounger(analysedAt, days, now));
}

/**
 * What was sent and neither judged nor failed is waited for again, even where the service calls it finished: its results
 * may be readable then, and sending it again would be paid for again.
 */
function stillOpen(knowledge: Knowledge, { results, submissions, settings }: Remembered, now: Date): OpenRecord[] {
  const settled = new Set(results.filter(({ outcome }) => outcome !== 'unjudged').map(({ content }) => content.sha256));
  const current = submissions.map(
    ({ submission, createdAt }): OpenRecord => ({
      submissionId: submission.submissionId,
      createdAt,
      settings,
      contents: submission.contents
        .filter(({ sha256 }) => !settled.has(sha256))
        .map(({ sha256, name }) => ({ sha256, name })),
    }),
  );
  const ids = new Set(current.map(({ submissionId }) => submissionId));
  const others = knowledge.open
    .filter(({ submissionId }) => !ids.has(submissionId))
    .map((record) => ({ ...record, contents: record.contents.filter(({ sha256 }) => !settled.has(sha256)) }));
  return [...current, ...others].filter(
    ({ contents, createdAt }) => contents.length > 0 && isYounger(createdAt, KEEP_OPEN_DAYS, now),
  );
}

function isYounger(time: string, days: number, now: Date): boolean {
  return now.getTime() - Date.parse(time) < days * DAY_MS;
}

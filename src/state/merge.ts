import * as v from 'valibot';
import type { Analysis } from '../service/analysis.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  isYounger,
  KEEP_DAYS,
  KEEP_OPEN_DAYS,
  type KnownContent,
  KnownIssue,
  type KnownPath,
  type OpenRecord,
  type StateDocument,
} from './document.ts';
import type { EarlierState } from './earlier-state.ts';

/** What one run found out. */
export interface RunResults {
  /** Every path that it looked at, judged or not. */
  readonly seen: ReadonlySet<string>;
  /** New ones, and those of earlier runs that it has read again. */
  readonly analyses: readonly Analysis[];
  /** Submissions that this run created or waited for. */
  readonly submissions: readonly OpenSubmission[];
  /** A hash of the sidekicks of this run. */
  readonly sidekicks: string;
}

interface MergeRules {
  readonly reuseDays: number;
  readonly now: Date;
}

/** What the next run has to know: all that was known, and what this run adds. */
export function mergeState(earlierState: EarlierState, run: RunResults, { reuseDays, now }: MergeRules): StateDocument {
  const judged = run.analyses.filter(isJudged);
  const paths = pathsAfter(earlierState.paths, judged, run.seen, now);
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const known = [
    ...earlierState.contents,
    ...judged.map((analysis) => knownContent(analysis, earlierState, { sidekicks: run.sidekicks, now })),
  ];
  const contents = new Map(known.map((content) => [`${content.sha256} ${content.sidekicks}`, content]));
  return {
    contents: [...contents.values()].filter(
      ({ sha256, sidekicks, analysedAt }) =>
        (inUse.has(sha256) && sidekicks === run.sidekicks) ||
        isYounger(analysedAt, Math.max(reuseDays, KEEP_DAYS), now),
    ),
    paths,
    open: stillOpen(
      earlierState.open.filter(({ createdAt }) => isYounger(createdAt, KEEP_OPEN_DAYS, now)),
      run,
    ),
  };
}

type Judged = Analysis & { readonly assetId: string };

function isJudged(analysis: Analysis): analysis is Judged {
  return analysis.outcome === 'judged' && analysis.assetId !== undefined;
}

function knownContent(
  { content, submissionId, assetId, versionGroupId, versionNumber, issues }: Judged,
  earlierState: EarlierState,
  { sidekicks, now }: { readonly sidekicks: string; readonly now: Date },
): KnownContent {
  const earlier = earlierState.analysis(content.sha256, sidekicks);
  const isReadAgain = earlier?.submissionId === submissionId && earlier.assetId === assetId;
  return {
    sha256: content.sha256,
    name: content.name,
    category: content.category ?? 'document',
    submissionId,
    assetId,
    analysedAt: isReadAgain ? earlier.analysedAt : now.toISOString(),
    sidekicks,
    ...(versionGroupId !== undefined && { versionGroupId }),
    ...(versionNumber !== undefined && { versionNumber }),
    issues: issues.map((issue) => v.parse(KnownIssue, issue)),
  };
}

/** Only what this run judged is present: a path that another branch's state brought along is never part of a baseline. */
function pathsAfter(
  before: readonly KnownPath[],
  judged: readonly Judged[],
  seen: ReadonlySet<string>,
  now: Date,
): KnownPath[] {
  const seenAt = now.toISOString();
  const paths = [
    ...before.map((known) => ({ ...known, isPresent: false, ...(seen.has(known.path) && { seenAt }) })),
    ...judged.flatMap(({ content: { sha256, paths: found }, submissionId }) =>
      found.map((path) => ({ path, sha256, submissionId, seenAt, isPresent: true })),
    ),
  ];
  const last = new Map(paths.map((known) => [known.path, known]));
  return [...last.values()].filter((known) => isYounger(known.seenAt, KEEP_DAYS, now));
}

/**
 * What was sent and not judged is looked for again, even if the service calls it finished or failed: its results may be
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again.
 */
function stillOpen(before: readonly OpenRecord[], { analyses, submissions, sidekicks }: RunResults): OpenRecord[] {
  const judged = new Set(analyses.filter(({ outcome }) => outcome === 'judged').map(({ content }) => content.sha256));
  const awaited = new Set(submissions.flatMap(({ contents }) => contents.map(({ sha256 }) => sha256)));
  const records = [
    ...submissions.map(({ submissionId, createdAt, assetIds, contents }) => ({
      submissionId,
      createdAt,
      sidekicks,
      assetIds: [...assetIds],
      contents: contents
        .filter(({ sha256 }) => !judged.has(sha256))
        .map(({ sha256, name, category = 'document' }) => ({ sha256, name, category })),
    })),
    ...before.map((record) => ({
      ...record,
      contents: record.contents.filter(
        ({ sha256 }) => record.sidekicks !== sidekicks || !(awaited.has(sha256) || judged.has(sha256)),
      ),
    })),
  ];
  return [...Map.groupBy(records, ({ submissionId }) => submissionId).values()].flatMap((group) => {
    const contents = group.flatMap((record) => record.contents);
    return contents.length === 0 ? [] : group.slice(0, 1).map((first) => ({ ...first, contents }));
  });
}

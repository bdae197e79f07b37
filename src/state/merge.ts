import type { Analysis } from '../service/analysis.ts';
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
  const judged = run.analyses.flatMap((analysis) => {
    const content = knownContent(analysis, { earlierState, sidekicks: run.sidekicks, now });
    return content ? [{ content, paths: analysis.content.paths }] : [];
  });
  const paths = pathsAfter(earlierState.paths, judged, { seen: run.seen, now });
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const known = [...earlierState.contents, ...judged.map(({ content }) => content)];
  const contents = new Map(known.map((content) => [`${content.sha256} ${content.sidekicks}`, content]));
  return {
    contents: [...contents.values()].filter(
      ({ sha256, sidekicks, analysedAt }) =>
        (inUse.has(sha256) && sidekicks === run.sidekicks) ||
        isYounger(analysedAt, Math.max(reuseDays, KEEP_DAYS), now),
    ),
    paths,
    open: stillOpen(earlierState.open, run).filter(({ createdAt }) => isYounger(createdAt, KEEP_OPEN_DAYS, now)),
  };
}

/** A content that was judged, and its paths. */
interface Judged {
  readonly content: KnownContent;
  readonly paths: readonly string[];
}

function knownContent(
  { content, outcome, submissionId, assetId, versionGroupId, versionNumber, issues }: Analysis,
  run: { readonly earlierState: EarlierState; readonly sidekicks: string; readonly now: Date },
): KnownContent | undefined {
  if (outcome !== 'judged' || assetId === undefined) return undefined;
  const { earlierState, sidekicks, now } = run;
  const earlier = earlierState.analysis(content.sha256, sidekicks);
  // An analysis that was only read again keeps its date.
  const isSame = earlier?.submissionId === submissionId && earlier.assetId === assetId;
  return {
    sha256: content.sha256,
    name: content.name,
    category: content.category ?? 'document',
    submissionId,
    assetId,
    analysedAt: isSame ? earlier.analysedAt : now.toISOString(),
    sidekicks,
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

/** Only what this run judged is present: a path that another branch's state brought along is never part of a baseline. */
function pathsAfter(
  before: readonly KnownPath[],
  judged: readonly Judged[],
  { seen, now }: { readonly seen: ReadonlySet<string>; readonly now: Date },
): KnownPath[] {
  const seenAt = now.toISOString();
  const kept = before.map((known): KnownPath => {
    return { ...known, isPresent: false, ...(seen.has(known.path) && { seenAt }) };
  });
  const found = judged.flatMap(({ content: { sha256, submissionId }, paths }) =>
    paths.map((path): KnownPath => ({ path, sha256, submissionId, seenAt, isPresent: true })),
  );
  const all = new Map([...kept, ...found].map((known) => [known.path, known]));
  return [...all.values()].filter((known) => isYounger(known.seenAt, KEEP_DAYS, now));
}

/**
 * What was sent and not judged is looked for again, even if the service calls it finished or failed: its results may be
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again.
 */
function stillOpen(before: readonly OpenRecord[], run: RunResults): readonly OpenRecord[] {
  const { sidekicks } = run;
  const results = new Map(run.analyses.map((analysis) => [analysis.content.sha256, analysis]));
  const isJudged = (sha256: string): boolean => results.get(sha256)?.outcome === 'judged';
  const waitedFor = new Set(run.submissions.flatMap(({ contents }) => contents.map(({ sha256 }) => sha256)));
  const records = [
    ...run.submissions.flatMap(({ submissionId, createdAt, assetIds, contents }) =>
      contents
        .filter(({ sha256 }) => !isJudged(sha256))
        .map((content): OpenRecord => {
          const { sha256, name } = content;
          const open = { createdAt, sidekicks, contents: [{ sha256, name, category: content.category ?? 'document' }] };
          // A retry may have gone on in another submission.
          const id = results.get(sha256)?.submissionId ?? submissionId;
          return { submissionId: id, assetIds: id === submissionId ? [...assetIds] : [], ...open };
        }),
    ),
    ...before.map((record) => {
      const isOther = record.sidekicks !== sidekicks;
      const isOpen = (sha256: string): boolean => isOther || !(waitedFor.has(sha256) || isJudged(sha256));
      return { ...record, contents: record.contents.filter(({ sha256 }) => isOpen(sha256)) };
    }),
  ];
  return [...Map.groupBy(records, ({ submissionId }) => submissionId).values()].flatMap((group) => {
    const contents = group.flatMap((record) => record.contents);
    const assetIds = [...new Set(group.flatMap((record) => record.assetIds))];
    return group.slice(0, contents.length > 0 ? 1 : 0).map((first) => ({ ...first, assetIds, contents }));
  });
}

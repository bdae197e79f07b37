import type { Log } from '../lib/log.ts';
import type { Content } from '../media/content.ts';
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
import type { StateKind, StateStore } from './store.ts';

interface StateToSave {
  readonly kind: StateKind;
  readonly earlierState: EarlierState;
  /** What the store returned when the history was loaded. */
  readonly scopes: readonly string[] | undefined;
  readonly results: RunResults;
  readonly rules: MergeRules;
}

/**
 * Saves what the next run has to know. What goes wrong is a warning: the verdict stands.
 *
 * @returns the file that holds the state on this machine; empty if it was not saved
 */
export async function storeState(
  { kind, earlierState, scopes, results, rules }: StateToSave,
  store: StateStore,
  log: Log,
): Promise<string> {
  try {
    return await store.save(kind, mergeState(earlierState, results, rules), scopes);
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    log.warning(
      `The state could not be saved, so the next run may re-analyse and re-bill the same files: ${problem}. The verdict is not affected.`,
    );
    return '';
  }
}

/**
 * Every path that a run looked at, with the hash of its bytes; undefined if they are unknown.
 *
 * @param files every matched file, those included that cannot be sent
 * @param contents every content of the plan
 */
export function seenPaths(
  files: readonly { readonly path: string }[],
  contents: readonly Pick<Content, 'paths' | 'sha256'>[],
): ReadonlyMap<string, string | undefined> {
  return new Map<string, string | undefined>([
    ...files.map((file) => [file.path, undefined] as const),
    ...contents.flatMap(({ paths, sha256 }) => paths.map((each) => [each, sha256] as const)),
  ]);
}

/** What one run found out. */
export interface RunResults {
  /** Every path that it looked at, with the sha256 of its content; undefined if that is unknown. */
  readonly seen: ReadonlyMap<string, string | undefined>;
  /** Paths that exist, and are left to another gate of the same name. */
  readonly others: ReadonlySet<string>;
  /** Analyses that this run only read again: they keep their date. */
  readonly reused: readonly Analysis[];
  readonly analysed: readonly Analysis[];
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
  const analyses = analysesOf(earlierState, run, now);
  const paths = pathsAfter(earlierState.paths, run, { analyses, now }).filter(({ seenAt }) =>
    isYounger(seenAt, KEEP_DAYS, now),
  );
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const known = [...earlierState.contents, ...analyses.map(({ content }) => content)];
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

/** A content that this run knows the analysis of, and its paths. */
interface KnownAnalysis {
  readonly content: KnownContent;
  readonly paths: readonly string[];
}

function analysesOf(
  earlierState: EarlierState,
  { reused, analysed, sidekicks }: RunResults,
  now: Date,
): readonly KnownAnalysis[] {
  const learn = (result: Analysis, analysedAt: string): readonly KnownAnalysis[] => {
    const content = knownContent(result, sidekicks, analysedAt);
    return content ? [{ content, paths: result.content.paths }] : [];
  };
  const time = now.toISOString();
  return [
    ...reused.flatMap((result) =>
      learn(result, earlierState.analysis(result.content.sha256, sidekicks)?.analysedAt ?? time),
    ),
    ...analysed.flatMap((result) => learn(result, time)),
  ];
}

function knownContent(result: Analysis, sidekicks: string, analysedAt: string): KnownContent | undefined {
  const { content, outcome, submissionId, assetId, versionGroupId, versionNumber, issues } = result;
  if (outcome !== 'judged' || assetId === undefined) return undefined;
  return {
    sha256: content.sha256,
    name: content.name,
    submissionId,
    assetId,
    analysedAt,
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

function pathsAfter(
  before: readonly KnownPath[],
  { seen, others }: RunResults,
  { analyses, now }: { readonly analyses: readonly KnownAnalysis[]; readonly now: Date },
): readonly KnownPath[] {
  const seenAt = now.toISOString();
  const kept = before.map((known): KnownPath => {
    const { path, sha256, isPresent } = known;
    if (!seen.has(path)) return { ...known, isPresent: isPresent && others.has(path) };
    // A changed file that is not judged yet keeps its last judged bytes in the baseline.
    return { ...known, seenAt, isPresent: isPresent || seen.get(path) === sha256 };
  });
  const added = analyses.flatMap(({ content: { sha256, submissionId }, paths }) =>
    paths.map((path): KnownPath => ({ path, sha256, submissionId, seenAt, isPresent: true })),
  );
  return [...new Map([...kept, ...added].map((known) => [known.path, known])).values()];
}

/**
 * What was sent and not judged is looked for again, even if the service calls it finished or failed: its results may be
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again.
 */
function stillOpen(before: readonly OpenRecord[], run: RunResults): readonly OpenRecord[] {
  const results = new Map([...run.reused, ...run.analysed].map((result) => [result.content.sha256, result]));
  const isJudged = (sha256: string): boolean => results.get(sha256)?.outcome === 'judged';
  const waitedFor = new Set(run.submissions.flatMap(({ contents }) => contents.map(({ sha256 }) => sha256)));
  const entries = [
    ...run.submissions.flatMap(({ submissionId, createdAt, contents }) =>
      contents
        .filter(({ sha256 }) => !isJudged(sha256))
        .map(({ sha256, name }) => {
          // A retry may have gone on in another submission.
          const id = results.get(sha256)?.submissionId ?? submissionId;
          return { submissionId: id, createdAt, sidekicks: run.sidekicks, content: { sha256, name } };
        }),
    ),
    ...before.flatMap(({ contents, ...record }) =>
      contents
        .filter(({ sha256 }) => record.sidekicks !== run.sidekicks || !(waitedFor.has(sha256) || isJudged(sha256)))
        .map((content) => ({ ...record, content })),
    ),
  ];
  return [...Map.groupBy(entries, ({ submissionId }) => submissionId).values()].flatMap((group) => {
    const contents = group.map(({ content }) => content);
    return group
      .slice(0, 1)
      .map(({ submissionId, createdAt, sidekicks }) => ({ submissionId, createdAt, sidekicks, contents }));
  });
}

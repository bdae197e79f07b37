import { createHash } from 'node:crypto';
import { type Cause, forOwner } from '../causes/cause.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import { formatList, plural } from '../lib/format.ts';
import { type Content, contentsOf, type SendableContent } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { Inspection } from '../media/inspect.ts';
import { type LfsPointer, pointerProblem } from '../media/sniff.ts';
import type { Analysis, Outcome } from '../service/analysis.ts';
import { idKey } from '../service/responses.ts';
import type { NeededSubmission } from '../service/submission.ts';
import { analysisId, type ContentRecord, isAnalysed, isYounger } from '../state/document.ts';
import { type EarlierState, subjectOf } from '../state/merge.ts';

export function planRules(
  { reuseDays, sidekickIds }: Pick<Inputs, 'reuseDays' | 'sidekickIds'>,
  { repositoryId, runId, runAttempt }: Pick<RunContext, 'repositoryId' | 'runId' | 'runAttempt'>,
) {
  return {
    repositoryId,
    runId,
    reuseDays,
    /** A hash of the sidekick ids: other sidekicks make a different analysis of the same bytes. */
    sidekicks: sidekickIds ? createHash('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '',
    /** Whether this is a second or later attempt of a run. People re-run a job to have failed files analysed again. */
    isRerun: runAttempt > 1,
  };
}

/** Everything that a plan is made from, except what the service says. */
export interface PlanBasis extends Readonly<ReturnType<typeof planRules>> {
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
  readonly earlierState: EarlierState;
  readonly now: Date;
}

/** What this run has read about earlier submissions, by `analysisId`. */
export type Asked = ReadonlyMap<string, Pick<Analysis, 'outcome' | 'cause'>>;

/** The id of what this run has read, the same as that of the record. */
export function idOf({ content, submissionId }: Analysis): string {
  return analysisId({ sha256: content.sha256, submissionId });
}

interface Row {
  /** What a search from the newest record to the oldest does. 'left aside': as if there were no such record. */
  readonly search: 'used' | 'stops the search' | 'passed over' | 'left aside';
  /** When a re-run of the job sends the file. */
  readonly rerun: 'never' | 'after seven days' | 'at once';
  /** When a run with `reuse-days: 0` sends the file. */
  readonly reuseDays0: Row['rerun'];
}

/** What the plan does with a record, by what the service says about it now. */
// biome-ignore format: a table
const ROWS: Readonly<Record<Outcome, Row>> = {
  result:       { search: 'used',             rerun: 'never',            reuseDays0: 'never' },
  'last-known': { search: 'used',             rerun: 'never',            reuseDays0: 'never' },
  working:      { search: 'passed over',      rerun: 'after seven days', reuseDays0: 'after seven days' },
  unread:       { search: 'stops the search', rerun: 'never',            reuseDays0: 'after seven days' },
  unclear:      { search: 'stops the search', rerun: 'never',            reuseDays0: 'at once' },
  retryable:    { search: 'passed over',      rerun: 'never',            reuseDays0: 'at once' },
  failed:       { search: 'passed over',      rerun: 'at once',          reuseDays0: 'at once' },
  missing:      { search: 'left aside',       rerun: 'at once',          reuseDays0: 'at once' },
};

/**
 * Of several analyses of one content, the one that decides about it: a missing one only if there is no other.
 *
 * @param analyses newest first
 */
export function decisive<Each extends { readonly outcome: Outcome }>(analyses: readonly Each[]): Each | undefined {
  const present = analyses.filter(({ outcome }) => ROWS[outcome].search !== 'left aside');
  const end = present.findIndex(({ outcome }) => ROWS[outcome].search === 'stops the search');
  const searched = end === -1 ? present : present.slice(0, end);
  return searched.find(({ outcome }) => ROWS[outcome].search === 'used') ?? present[0] ?? analyses[0];
}

/** Why a content is sent. Unless it is new, an analysis of the same bytes was paid for. Reports show the text after "sent:". */
type SendReason = 'new' | 'no longer at the service' | 'earlier analysis has no result' | 'asked for by reuse-days';

/** What becomes of a content in this run. Unless it is sent, the record of an earlier run decides. */
type Source =
  | { readonly kind: 'sent'; readonly why: SendReason }
  /** Its submission is polled, also if its result was read before the upload. */
  | { readonly kind: 'awaited'; readonly record: ContentRecord }
  /** Shown as the service says now: its result or, at no cost, its failure. */
  | { readonly kind: 'reused'; readonly record: ContentRecord };

/** A content, and the one source that its analysis comes from. */
export interface PlannedContent {
  readonly content: Content;
  readonly source: Source;
  /** What earlier runs have saved about the content, newest first. */
  readonly records: readonly ContentRecord[];
}

export interface Plan {
  readonly contents: readonly PlannedContent[];
  /** The paths of Git LFS pointers whose content neither an earlier run has analysed nor a file of this run holds. */
  readonly unknownPointers: readonly string[];
}

export const NO_PLAN: Plan = { contents: [], unknownPointers: [] };

/** Whether another state may help: with an analysis of a file that would be sent or stay unjudged, or of a pointer. */
export function needsOtherStates({ contents, unknownPointers }: Plan, asked: Asked): boolean {
  const isSettled = ({ source }: PlannedContent): boolean =>
    source.kind !== 'sent' && ROWS[outcomeOf(source.record, asked)].search === 'used';
  return unknownPointers.length > 0 || !contents.every(isSettled);
}

/** What the service says about a record. An open one that it was not asked about is unread. */
function outcomeOf(record: ContentRecord, asked: Asked): Outcome {
  const found = asked.get(analysisId(record));
  if (!found) return isAnalysed(record) ? 'last-known' : 'unread';
  // This key may be of another workspace than the key that sent the file: then the submission is not ours.
  const isRefused = found.outcome === 'unread' && found.cause?.reason === 'refused';
  return isRefused && record.kind === 'open' && record.isOfOtherKey ? 'missing' : found.outcome;
}

/** Decides for each content whether it is sent, awaited or reused. */
export function makePlan(basis: PlanBasis, asked: Asked = new Map()): Plan {
  const contents: PlannedContent[] = [];
  const unknownPointers: string[] = [];
  for (const candidate of candidatesIn(basis)) {
    const planned = decide(candidate, basis, asked);
    if (planned) contents.push(planned);
    else unknownPointers.push(...candidate.content.paths);
  }
  return { contents, unknownPointers };
}

/** The contents of this run, each with the records of the same type and sidekicks that earlier runs have saved. */
function candidatesIn({ files, pointers, repositoryId, sidekicks, earlierState }: PlanBasis) {
  return contentsOf(files, pointers, repositoryId).map((content) => {
    const { type } = content;
    const subject = subjectOf({ ...content, category: type?.category ?? 'document', sidekicks });
    // The bytes of a pointer are not in the workspace. Unless its name decides, it has the type that was analysed.
    const isSame = (record: ContentRecord): boolean =>
      type ? subjectOf(record) === subject : record.sidekicks === sidekicks;
    return { content, records: (earlierState.records.get(content.sha256) ?? []).filter(isSame) };
  });
}

/**
 * Whether an analysis is older than `reuse-days`; with 0, every one that another run has saved. An open record is never too
 * old, even if it has a result now.
 */
function isTooOld(record: ContentRecord, { reuseDays, runId, now }: PlanBasis): boolean {
  if (!isAnalysed(record)) return false;
  return reuseDays === 0 ? record.runId !== runId : !isYounger(record.at, reuseDays, now);
}

/** After this time, an analysis that has not ended may be given up. */
const GIVE_UP_DAYS = 7;

/** Undefined for Git LFS pointers whose content is unknown. */
function decide(
  { content, records }: ReturnType<typeof candidatesIn>[number],
  basis: PlanBasis,
  asked: Asked,
): PlannedContent | undefined {
  const { reuseDays, isRerun, now } = basis;
  const present = records
    .filter((record) => !isTooOld(record, basis))
    .map((record) => ({ record, outcome: outcomeOf(record, asked) }))
    .filter(({ outcome }) => ROWS[outcome].search !== 'left aside');
  // With `reuse-days: 0`, only the newest record can keep a file from being sent.
  const chosen = decisive(reuseDays === 0 ? present.slice(0, 1) : present);
  if (chosen) {
    const { record, outcome } = chosen;
    const row = ROWS[outcome];
    const when = reuseDays === 0 ? row.reuseDays0 : isRerun ? row.rerun : 'never';
    const isDue = when === 'at once' || (when === 'after seven days' && !isYounger(record.at, GIVE_UP_DAYS, now));
    // An `unread` or `unclear` record may have the result, so nothing is sent beside it.
    const mayHaveResult = reuseDays > 0 && present.some((each) => ROWS[each.outcome].search === 'stops the search');
    if (!isDue || mayHaveResult) {
      // The plan has read what an earlier run has analysed, and what has failed, so the wait does not read it again.
      const kind = isAnalysed(record) || outcome === 'failed' ? 'reused' : 'awaited';
      return { content, source: { kind, record }, records };
    }
  }
  if (!isSendable(content)) return undefined;
  return { content, source: { kind: 'sent', why: reasonToSend(records[0], basis, asked) }, records };
}

function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

function reasonToSend(newest: ContentRecord | undefined, { reuseDays }: PlanBasis, asked: Asked): SendReason {
  if (!newest) return 'new';
  const isMissing = outcomeOf(newest, asked) === 'missing';
  if (reuseDays === 0 || (isAnalysed(newest) && !isMissing)) return 'asked for by reuse-days';
  return isMissing ? 'no longer at the service' : 'earlier analysis has no result';
}

/** The submissions that may hold the analysis of a content of this run, and that it has not asked for yet. */
export function submissionsToAsk(basis: PlanBasis, asked: Asked): readonly NeededSubmission[] {
  const files = candidatesIn(basis).flatMap(({ content, records }) =>
    records
      .filter((record) => !isTooOld(record, basis) && !asked.has(analysisId(record)))
      .map((record) => ({ content, record })),
  );
  return submissionsOf(files, basis.earlierState);
}

export function awaitedSubmissions(plan: Plan, earlierState: EarlierState): readonly NeededSubmission[] {
  const awaited = plan.contents.flatMap(({ content, source }) =>
    source.kind === 'awaited' ? [{ content, record: source.record }] : [],
  );
  return submissionsOf(awaited, earlierState);
}

function submissionsOf(
  files: readonly { readonly content: Content; readonly record: ContentRecord }[],
  { records }: EarlierState,
): readonly NeededSubmission[] {
  const analysed = [...records.values()].flat().filter(isAnalysed);
  const known = Map.groupBy(analysed, ({ submissionId }) => idKey(submissionId));
  const groups = Map.groupBy(files, ({ record }) => idKey(record.submissionId));
  return [...groups].map(([key, group]) => ({
    submissionId: group[0]?.record.submissionId ?? key,
    files: group.map(({ content, record }) => ({
      // The asset at the service has the name that an earlier run sent.
      content: { ...content, name: record.name },
      earlier: isAnalysed(record) ? record : undefined,
    })),
    knownAssets: new Set((known.get(key) ?? []).map(({ assetId }) => idKey(assetId))),
  }));
}

export function contentsToSend(plan: Plan): readonly SendableContent[] {
  return plan.contents.flatMap(({ content, source }) => (source.kind === 'sent' && isSendable(content) ? content : []));
}

/**
 * The submissions of the earlier versions of what is sent, by content hash: the last one in which a path was analysed, and of
 * a renamed file the one in which its bytes were.
 */
export function previousSubmissions(plan: Plan, { paths, records }: EarlierState): ReadonlyMap<string, string> {
  return new Map(
    contentsToSend(plan).flatMap(({ sha256, paths: own }) => {
      const last = own.map((path) => paths.get(path)).find((record) => record !== undefined);
      const previous = last ?? records.get(sha256)?.find(isAnalysed);
      return previous ? [[sha256, previous.submissionId]] : [];
    }),
  );
}

/** Every reason why a file cannot be sent. All reasons are reported together, before a file is sent. */
export function problemsIn(
  plan: Plan,
  { problems }: Inspection,
  { maxFiles }: Pick<Inputs, 'maxFiles'>,
): readonly Cause[] {
  const unknown = plan.unknownPointers.map(pointerProblem);
  const number = contentsToSend(plan).length;
  const fix =
    'Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed. Then commit and push.';
  // Prevents a surprise bill: a pattern that matches a whole archive fails the check, and nothing is sent.
  const message = `${number} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`;
  return [...problems, ...unknown, ...(number > maxFiles ? [forOwner('pre-flight', message, fix)] : [])];
}

/** The warning about files that are paid for again, unless `reuse-days` asks for that. Undefined if there are none. */
export function describeLosses(plan: Plan, isSandbox: boolean): string | undefined {
  const lost = plan.contents.filter(
    ({ source }) => source.kind === 'sent' && !['new', 'asked for by reuse-days'].includes(source.why),
  );
  if (lost.length === 0) return undefined;
  const paths = formatList(lost.map(({ content }) => content.paths[0]));
  return `${plural(lost.length, 'file')} will be ${isSandbox ? 'sent' : 'analysed and billed'} again: ${paths}.`;
}

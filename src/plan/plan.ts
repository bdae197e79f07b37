import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { type Cause, workflowOwner } from '../lib/cause.ts';
import type { Content, SendableContent } from '../media/content.ts';
import type { Inspection } from '../media/inspect.ts';
import { type LfsPointer, pointerProblem } from '../media/lfs.ts';
import { analysedUnder, includesAnalysisOf } from '../media/media-types.ts';
import type { Analysis } from '../service/analysis.ts';
import { idKey, isTerminal, type ListedAsset, type SubmissionResponse } from '../service/responses.ts';
import { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  type AnalysedRecord,
  analysisId,
  type ContentRecord,
  type FailedRecord,
  isAnalysed,
  isYounger,
  KEEP_OPEN_DAYS,
  type OpenRecord,
} from '../state/document.ts';
import type { EarlierState } from '../state/merge.ts';
import { analysedAs, type CandidateContent, candidatesIn, lastHeld, type PlanBasis } from './candidates.ts';

/**
 * What the gate can do with a record of an earlier run:
 *
 * - `usable`: reuse its analysis
 * - `finished`: wait for its submission, which has ended and probably has the result
 * - `open`: wait for its submission
 * - `failed`: show the failure again, or send the file
 * - `missing`, `given up`: send the file, because the service no longer has the analysis, or did not finish it in time
 */
export type RecordStatus = 'usable' | 'finished' | 'open' | 'failed' | 'missing' | 'given up';

/** A submission of an earlier run that the service still has. */
export interface FoundSubmission {
  readonly response: SubmissionResponse;
  /** By `idKey`, because a submission can hold thousands of assets. Undefined if the response has no list. */
  readonly assets: ReadonlyMap<string, ListedAsset> | undefined;
  /** The files whose assets had to be read, by content hash. */
  readonly files: ReadonlyMap<string, { readonly status: RecordStatus; readonly analysis: Analysis }>;
}

/** The submissions of earlier runs, by id. If a submission is missing or could not be read, the value is the error. */
export type EarlierSubmissions = ReadonlyMap<string, FoundSubmission | ServiceError>;

/** Why a content is sent. Reports show the text after "sent:". */
export type SendReason =
  | 'new'
  | 'changed'
  | 'sidekicks changed'
  | 'media type changed'
  | 'earlier result too old'
  | 'no longer at the service'
  | 'earlier analysis failed'
  | 'earlier analysis never finished';

/** The statuses of analyses that can no longer be used, each with the reason for sending the file again. */
const LOSSES: Readonly<Partial<Record<RecordStatus, SendReason>>> = {
  missing: 'no longer at the service',
  failed: 'earlier analysis failed',
  'given up': 'earlier analysis never finished',
};

export function isLoss(reason: SendReason): boolean {
  return Object.values(LOSSES).includes(reason);
}

/** Whether an earlier run had already paid for an analysis of the same bytes by the same sidekicks. */
export function isPaidAgain(reason: SendReason): boolean {
  return isLoss(reason) || reason === 'earlier result too old';
}

/**
 * Where the analysis of a content comes from: a new submission, or the record of an earlier run. An `open` record is
 * awaited, an `analysed` record is reused, and a `failed` record is shown again without sending the file.
 */
export type Source =
  | { readonly kind: 'submit'; readonly why: SendReason; readonly previous: CandidateContent['previous'] }
  | ContentRecord;

/** A content, and the one source that its analysis comes from. */
export interface PlannedContent<From extends Source = Source> {
  readonly content: Content;
  readonly source: From;
  /** The newest earlier analysis. Its issues count until this run has read newer ones. */
  readonly known?: AnalysedRecord | undefined;
}

export interface Plan {
  readonly contents: readonly PlannedContent[];
  /** Git LFS pointers to contents that no earlier run analysed: they cannot be judged. */
  readonly unknownPointers: readonly LfsPointer[];
  /** Earlier analyses that can no longer be used, by `analysisId`. */
  readonly lost: ReadonlySet<string>;
}

export const NO_PLAN: Plan = { contents: [], unknownPointers: [], lost: new Set() };

export function withSource<Kind extends Source['kind']>(
  { contents }: Pick<Plan, 'contents'>,
  kind: Kind,
): readonly PlannedContent<Extract<Source, { kind: Kind }>>[] {
  return contents.filter((each): each is PlannedContent<Extract<Source, { kind: Kind }>> => each.source.kind === kind);
}

/** Whether every file is reused. Then nothing will be billed, and no other state has to be loaded. */
export function isAllReused(plan: Plan): boolean {
  return plan.unknownPointers.length === 0 && plan.contents.every(({ source }) => source.kind === 'analysed');
}

/** Decides for each content whether it is reused, awaited, shown as failed or sent. */
export function makePlan(basis: PlanBasis, submissions: EarlierSubmissions = new Map()): Plan {
  const contents: PlannedContent[] = [];
  const unknownPointers: LfsPointer[] = [];
  const lost = new Set<string>();
  for (const { content, pointers, earlier, known, previous } of candidatesIn(basis)) {
    const candidates = earlier.map((record) => ({ record, status: statusOf(record, submissions) }));
    for (const { record, status } of candidates)
      if (record.kind !== 'failed' && status in LOSSES) lost.add(analysisId(record));
    const record = chooseRecord(candidates, basis);
    if (record) contents.push({ ...fromRecord(content, record), known });
    else if (isSendable(content)) {
      const why = (candidates[0] && LOSSES[candidates[0].status]) ?? reasonToSend(content, basis);
      // The service would reject a submission that is linked to a missing submission.
      const isLinked = previous && !isMissing(submissions.get(previous.submissionId));
      const source = { kind: 'submit', why, previous: isLinked ? previous : undefined } as const;
      contents.push({ content, source, known });
    }
    if (!record) unknownPointers.push(...pointers.filter((pointer) => !isCoveredBy(content, pointer)));
  }
  return { contents, unknownPointers, lost };
}

/** Whether the analysis of a file also covers a Git LFS pointer to the same bytes, by the pointer's name. */
function isCoveredBy({ file }: Content, { path }: LfsPointer): boolean {
  return file !== undefined && includesAnalysisOf(file.type, analysedUnder(path, file.type));
}

/** Prefers the newest record with a result, then the newest open record, then a failure that is to be shown again. */
function chooseRecord(
  candidates: readonly { readonly record: ContentRecord; readonly status: RecordStatus }[],
  { isRerun, reuseDays, now }: PlanBasis,
): ContentRecord | undefined {
  const newest = (...wanted: readonly RecordStatus[]) =>
    candidates.find(({ status }) => wanted.includes(status))?.record;
  const awaited = newest('usable', 'finished') ?? newest('open');
  if (awaited) return awaited.kind === 'failed' ? asOpen(awaited) : awaited;
  const failed = newest('failed');
  // A failure is shown again for seven days. If the job is re-run or `reuse-days` is 0, the file is sent instead.
  const isShownAgain = failed && !isRerun && reuseDays > 0 && isYounger(failed.at, KEEP_OPEN_DAYS, now);
  return isShownAgain ? failed : undefined;
}

/** A failure that the service may have healed since is awaited like an open file. */
export function asOpen({ at, sha256, name, category, submissionId, sidekicks }: FailedRecord): OpenRecord {
  return { kind: 'open', at, sha256, name, category, submissionId, sidekicks };
}

/** The status of a record whose submission could not be read, or was not asked for. */
const UNREAD: Readonly<Record<ContentRecord['kind'], RecordStatus>> = {
  analysed: 'usable',
  open: 'open',
  failed: 'failed',
};

export function statusOf(record: ContentRecord, submissions: EarlierSubmissions): RecordStatus {
  const submission = submissions.get(record.submissionId);
  if (isMissing(submission)) return record.kind === 'failed' ? 'failed' : 'missing';
  if (!isFound(submission)) return UNREAD[record.kind];
  const { response, assets, files } = submission;
  if (isAnalysed(record)) return !assets || assets.has(idKey(record.assetId)) ? 'usable' : 'missing';
  return files.get(record.sha256)?.status ?? (isTerminal(response) ? 'finished' : 'open');
}

export function isFound(submission: FoundSubmission | ServiceError | undefined): submission is FoundSubmission {
  return submission !== undefined && !(submission instanceof ServiceError);
}

export function isMissing(submission: FoundSubmission | ServiceError | undefined): boolean {
  return submission instanceof ServiceError && submission.failureClass === 'missing';
}

/** The asset has the name and category under which an earlier run sent it, so these replace the ones of this run. */
export function fromRecord(content: Content, record: ContentRecord): PlannedContent {
  return { content: { ...content, name: record.name, category: record.category }, source: record };
}

function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

function reasonToSend({ sha256, paths, file }: SendableContent, { earlierState, sidekicks }: PlanBasis): SendReason {
  const analyses = (earlierState.records.get(sha256) ?? []).filter(isAnalysed);
  if (analyses.length === 0) return lastHeld(paths, earlierState) ? 'changed' : 'new';
  const bySame = analyses.filter((analysis) => analysis.sidekicks === sidekicks);
  if (bySame.length === 0) return 'sidekicks changed';
  const isSame = bySame.some((analysis) => includesAnalysisOf(analysedAs(analysis), file.type));
  return isSame ? 'earlier result too old' : 'media type changed';
}

export function contentsToSend(plan: Plan): readonly SendableContent[] {
  return withSource(plan, 'submit')
    .map(({ content }) => content)
    .filter(isSendable);
}

/** The submissions that hold the earlier versions of the contents, by content hash. */
export function previousSubmissions(plan: Plan): ReadonlyMap<string, string> {
  return new Map(
    withSource(plan, 'submit').flatMap(({ content: { sha256 }, source: { previous } }) =>
      previous ? [[sha256, previous.submissionId]] : [],
    ),
  );
}

/** The open submissions of earlier runs, each with its contents, and with the other files that the state knows. */
export function openSubmissions(
  awaited: readonly PlannedContent<OpenRecord>[],
  { records }: EarlierState,
): readonly OpenSubmission[] {
  const known = [...records.values()].flat();
  const names = [...new Set(known.map(({ name }) => name))];
  const analysed = Map.groupBy(known.filter(isAnalysed), ({ submissionId }) => submissionId);
  const groups = Map.groupBy(awaited, ({ source }) => source.submissionId);
  return [...groups].map(([submissionId, group]) => ({
    submissionId,
    createdAt: group.map(({ source }) => source.at).toSorted()[0] ?? '',
    contents: group.map(({ content }) => content),
    assetIds: [],
    otherFiles: { names, assetKeys: new Set(analysed.get(submissionId)?.map(({ assetId }) => idKey(assetId))) },
  }));
}

/** Every reason why a file cannot be sent. All reasons are reported together, before a file is sent. */
export function problemsIn(
  plan: Plan,
  { problems }: Inspection,
  { maxFiles, workflow }: Pick<Inputs, 'maxFiles'> & Pick<RunContext, 'workflow'>,
): readonly Cause[] {
  const unknown = plan.unknownPointers.map((pointer) => pointerProblem(pointer, workflow));
  const number = withSource(plan, 'submit').length;
  const fix =
    'Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed and billed. Then commit and push.';
  // Prevents a surprise bill: a pattern that matches a whole archive fails the check, and nothing is sent.
  const tooMany: Cause = {
    reason: 'pre-flight',
    message: `${number} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`,
    steps: [workflowOwner(fix)],
  };
  return [...problems, ...unknown, ...(number > maxFiles ? [tooMany] : [])];
}

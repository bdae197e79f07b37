import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { type Cause, workflowOwner } from '../lib/cause.ts';
import type { Content, SendableContent } from '../media/content.ts';
import type { Inspection } from '../media/inspect.ts';
import { type LfsPointer, pointerProblem } from '../media/lfs.ts';
import { includesAnalysisOf, typeOfName } from '../media/media-types.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { type ContentRecord, isAnalysed, isYounger, KEEP_OPEN_DAYS, type OpenRecord } from '../state/document.ts';
import { analysisId } from '../state/earlier-state.ts';
import {
  analysedAs,
  type CandidateContent,
  candidatesIn,
  lastHeld,
  type PlanBasis,
  type PlanRules,
} from './candidates.ts';

/**
 * What the service says about the analysis in a record. An `open` record can have every status, an `analysed` record
 * only `complete` or `missing`. `given up`: the file was not judged in time, so the gate stops waiting for it.
 */
export type Status = 'complete' | 'open' | 'missing' | 'failed' | 'given up';
/** The key is an `analysisId`, or the id of a missing submission that a new submission would be linked to. */
export type Statuses = ReadonlyMap<string, Status>;

type Loss = 'no longer at the service' | 'earlier analysis failed' | 'earlier analysis never finished';

/** The statuses of analyses that can no longer be used, each with the reason for sending the file again. */
const LOSSES: Readonly<Partial<Record<Status, Loss>>> = {
  missing: 'no longer at the service',
  failed: 'earlier analysis failed',
  'given up': 'earlier analysis never finished',
};

/** Why a content is sent. Reports show the text after "sent:". */
export type SendReason =
  | 'new'
  | 'changed'
  | 'sidekicks changed'
  | 'media type changed'
  | 'earlier result too old'
  | Loss;

export function isLoss(reason: SendReason): boolean {
  return Object.values<string>(LOSSES).includes(reason);
}

/** Whether an earlier run had already paid for an analysis of the same bytes by the same sidekicks. */
export function isPaidAgain(reason: SendReason): boolean {
  return isLoss(reason) || reason === 'earlier result too old';
}

/** The analyses that can no longer be used, by `analysisId`. */
export function lostIn(statuses: Statuses): ReadonlySet<string> {
  return new Set([...statuses].filter(([, status]) => status in LOSSES).map(([id]) => id));
}

/**
 * Where the analysis of a content comes from: a new submission, or the record of an earlier run. An `open` record is
 * awaited, an `analysed` record is reused, and a `failed` record is shown again without sending the file.
 */
export type Source = SubmitSource | ContentRecord;

export interface SubmitSource {
  readonly kind: 'submit';
  readonly why: SendReason;
  /** The submission of the earlier version, to which the service links the new version. */
  readonly previousSubmissionId: string | undefined;
  /** The version group of the earlier version, if it is known. The new version should be in the same group. */
  readonly previousGroupId: string | undefined;
}

/** A content, and the one source that its analysis comes from. */
export interface PlannedContent<From extends Source = Source> {
  readonly content: Content;
  readonly source: From;
}

export interface Plan {
  readonly contents: readonly PlannedContent[];
  /** Git LFS pointers to contents that no earlier run analysed: they cannot be judged. */
  readonly unknownPointers: readonly LfsPointer[];
}

export const NO_PLAN: Plan = { contents: [], unknownPointers: [] };

/** The contents of a plan that have a source of this kind. */
export function withSource<Kind extends Source['kind']>(
  { contents }: Pick<Plan, 'contents'>,
  kind: Kind,
): readonly PlannedContent<Extract<Source, { kind: Kind }>>[] {
  return contents.filter((each): each is PlannedContent<Extract<Source, { kind: Kind }>> => each.source.kind === kind);
}

/** Whether every file is reused. If so, nothing will be billed, and loading another state would save nothing. */
export function isAllReused(plan: Plan): boolean {
  return plan.unknownPointers.length === 0 && plan.contents.every(({ source }) => source.kind === 'analysed');
}

/** Decides for each content whether it is reused, awaited, shown as failed or sent. */
export function makePlan(basis: PlanBasis, statuses: Statuses = new Map()): Plan {
  const contents: PlannedContent[] = [];
  const unknownPointers: LfsPointer[] = [];
  for (const candidate of candidatesIn(basis)) {
    const { content, pointers, earlier } = candidate;
    const record = chooseRecord(earlier, statuses, basis.rules);
    if (record) contents.push(fromRecord(content, record));
    else if (isSendable(content)) contents.push({ content, source: submitSource(content, candidate, basis, statuses) });
    if (!record) unknownPointers.push(...pointers.filter((pointer) => !isCoveredBy(content, pointer)));
  }
  return { contents, unknownPointers };
}

/** Whether the analysis of a file also covers a Git LFS pointer to the same bytes, by the pointer's name. */
function isCoveredBy({ file }: Content, { path }: LfsPointer): boolean {
  const type = typeOfName(path);
  return file !== undefined && (!type || includesAnalysisOf(file.type, type));
}

/** Prefers the newest complete record, then the newest open record, then a failure that is to be shown again. */
function chooseRecord(
  earlier: readonly ContentRecord[],
  statuses: Statuses,
  rules: PlanRules,
): ContentRecord | undefined {
  const newest = (status: Status) => earlier.find((record) => statusOf(record, statuses) === status);
  const failed = newest('failed');
  return newest('complete') ?? newest('open') ?? (failed && isShownAgain(failed, rules) ? failed : undefined);
}

/** If the service was not asked or did not respond, the kind of the record decides. */
function statusOf(record: ContentRecord, statuses: Statuses): Status {
  const { kind } = record;
  return kind === 'failed' ? kind : (statuses.get(analysisId(record)) ?? (kind === 'open' ? kind : 'complete'));
}

/** A failure is shown again for seven days. If the job is re-run or `reuse-days` is 0, the file is sent instead. */
function isShownAgain(record: ContentRecord, { isRerun, reuseDays, now }: PlanRules): boolean {
  return !isRerun && reuseDays > 0 && isYounger(record.at, KEEP_OPEN_DAYS, now);
}

/** The content with the name and category under which an earlier run sent it. */
export function fromRecord(content: Content, record: ContentRecord): PlannedContent {
  return { content: { ...content, name: record.name, category: record.category }, source: record };
}

function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

function submitSource(
  content: SendableContent,
  { earlier: [newest], previous }: CandidateContent,
  basis: PlanBasis,
  statuses: Statuses,
): SubmitSource {
  // The service would reject a submission that is linked to a missing submission.
  const link = previous && statuses.get(previous.submissionId) !== 'missing' ? previous : undefined;
  return {
    kind: 'submit',
    why: (newest && LOSSES[statusOf(newest, statuses)]) ?? reasonToSend(content, basis),
    previousSubmissionId: link?.submissionId,
    previousGroupId: link?.versionGroupId,
  };
}

function reasonToSend({ sha256, paths, file }: SendableContent, { earlierState, rules }: PlanBasis): SendReason {
  const analyses = earlierState.recordsOf(sha256).filter(isAnalysed);
  if (analyses.length === 0) return lastHeld(paths, earlierState) ? 'changed' : 'new';
  const bySame = analyses.filter(({ sidekicks }) => sidekicks === rules.sidekicks);
  if (bySame.length === 0) return 'sidekicks changed';
  const isSame = bySame.some((analysis) => includesAnalysisOf(analysedAs(analysis), file.type));
  return isSame ? 'earlier result too old' : 'media type changed';
}

export function contentsToSend(plan: Plan): readonly SendableContent[] {
  return withSource(plan, 'submit')
    .map(({ content }) => content)
    .filter(isSendable);
}

/** Maps the hash of a content to the submission that holds the earlier version of the content. */
export function previousSubmissions(plan: Plan): ReadonlyMap<string, string> {
  return new Map(
    withSource(plan, 'submit').flatMap(({ content: { sha256 }, source: { previousSubmissionId: id } }) =>
      id === undefined ? [] : [[sha256, id]],
    ),
  );
}

/** Groups contents that an earlier run sent by their submission. */
export function openSubmissions(awaited: readonly PlannedContent<OpenRecord>[]): readonly OpenSubmission[] {
  const groups = Map.groupBy(awaited, ({ source }) => source.submissionId);
  return [...groups].map(([submissionId, group]) => ({
    submissionId,
    createdAt: group[0]?.source.at ?? '',
    contents: group.map(({ content }) => content),
    assetIds: [],
  }));
}

/** Every reason why a file cannot be sent. All reasons are reported together, before a file is sent. */
export function problemsIn(
  plan: Plan,
  { problems }: Inspection,
  { maxFiles, workflow }: Pick<Inputs, 'maxFiles'> & Pick<RunContext, 'workflow'>,
): readonly Cause[] {
  const unknown = plan.unknownPointers.map((pointer) => pointerProblem(pointer, workflow));
  return [...problems, ...unknown, ...tooMany(plan, maxFiles)];
}

/** Prevents a surprise bill: a pattern that matches a whole archive fails the check, and nothing is sent. */
export function tooMany(plan: Plan, maxFiles: number): readonly Cause[] {
  const number = withSource(plan, 'submit').length;
  if (number <= maxFiles) return [];
  return [
    {
      reason: 'pre-flight',
      message: `${number} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`,
      steps: [
        workflowOwner(
          'Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed and billed. Then commit and push.',
        ),
      ],
    },
  ];
}

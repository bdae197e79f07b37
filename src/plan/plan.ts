import { type Cause, forOwner } from '../causes/cause.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content, SendableContent } from '../media/content.ts';
import type { Inspection } from '../media/inspect.ts';
import { analysedUnder, includesAnalysisOf } from '../media/media-types.ts';
import { type LfsPointer, pointerProblem } from '../media/sniff.ts';
import type { Analysis } from '../service/analysis.ts';
import { idKey } from '../service/responses.ts';
import type { AwaitedSubmission } from '../service/submission-reading.ts';
import {
  type AnalysedRecord,
  analysisId,
  type ContentRecord,
  type FailedRecord,
  isAnalysed,
  type OpenRecord,
} from '../state/document.ts';
import type { EarlierState } from '../state/merge.ts';
import {
  type CandidateContent,
  candidatesIn,
  chooseRecord,
  type EarlierResponses,
  isLoss,
  isMissing,
  type Loss,
  NO_RESPONSES,
  type PlanBasis,
  type RecordInUse,
  readingOf,
} from './candidates.ts';

/** Why a content is sent. Reports show the text after "sent:". */
type SendReason = 'new' | 'changed' | 'sidekicks changed' | 'media type changed' | Loss;

/** What becomes of a content in this run. Unless it is sent, the record of an earlier run decides. */
type Source =
  | { readonly kind: 'sent'; readonly why: SendReason; readonly previous: CandidateContent['previous'] }
  | { readonly kind: 'awaited'; readonly record: OpenRecord | FailedRecord }
  | { readonly kind: 'reused'; readonly record: AnalysedRecord }
  /** The failure is shown, and the content is not sent. If the record is open, no earlier run has seen the failure. */
  | { readonly kind: 'failed'; readonly record: OpenRecord | FailedRecord };

/** A content, and the one source that its analysis comes from. */
export interface PlannedContent<From extends Source = Source> {
  readonly content: Content;
  readonly source: From;
  /** The analysis that is reused, otherwise the newest one. Its issues count until this run has read newer ones. */
  readonly earlier?: AnalysedRecord | undefined;
  /** Records that are newer than the source. Issues that this run has read of their submissions count as well. */
  readonly newer: readonly ContentRecord[];
}

export interface Plan {
  readonly contents: readonly PlannedContent[];
  /** Git LFS pointers that cannot be judged: neither an earlier analysis nor a file of this run covers them. */
  readonly unknownPointers: readonly LfsPointer[];
  /** The `analysisId`s of analyses, and of open files, that can no longer be used. */
  readonly lost: ReadonlySet<string>;
}

export const NO_PLAN: Plan = { contents: [], unknownPointers: [], lost: new Set() };

export function withSource<Kind extends Source['kind']>(
  { contents }: Pick<Plan, 'contents'>,
  kind: Kind,
): readonly PlannedContent<Extract<Source, { kind: Kind }>>[] {
  return contents.filter((each): each is PlannedContent<Extract<Source, { kind: Kind }>> => each.source.kind === kind);
}

/** Whether every file is reused. */
export function isAllReused(plan: Plan): boolean {
  return plan.unknownPointers.length === 0 && plan.contents.every(({ source }) => source.kind === 'reused');
}

/** Whether another state may help: with an analysis of a file that would be sent or has failed, or of a pointer. */
export function needsOtherStates({ contents, unknownPointers }: Plan): boolean {
  const isUnknown = contents.some(({ source }) => source.kind === 'sent' || source.kind === 'failed');
  return isUnknown || unknownPointers.length > 0;
}

/** Decides for each content whether it is reused, awaited, shown as failed or sent. */
export function makePlan(basis: PlanBasis, responses = NO_RESPONSES): Plan {
  const decided = candidatesIn(basis).map((candidate) => decide(candidate, responses, basis));
  return {
    contents: decided.flatMap(({ planned }) => planned ?? []),
    unknownPointers: decided.flatMap(({ unknownPointers }) => unknownPointers),
    lost: new Set(decided.flatMap(({ lost }) => lost).map(analysisId)),
  };
}

function decide(candidate: CandidateContent, responses: EarlierResponses, basis: PlanBasis) {
  const { content, pointers, newestAnalysis, previous } = candidate;
  const { uses, preferred, ...chosen } = chooseRecord(candidate, responses, basis);
  const newer = chosen.newer.map(({ record }) => record);
  const lost = uses.filter((each) => each !== preferred && isLost(each)).map(({ record }) => record);
  if (preferred) {
    const { record } = preferred;
    const earlier = isAnalysed(record) ? record : newestAnalysis;
    const planned: PlannedContent = { content: asSent(content, record), source: sourceOf(preferred), earlier, newer };
    return { planned, unknownPointers: [], lost };
  }
  const unknownPointers = pointers.filter((pointer) => !isCoveredBy(content, pointer));
  if (!isSendable(content)) return { unknownPointers, lost };
  // The service would reject a submission that is linked to a missing submission.
  const isLinked = previous && !isMissing(readingOf(previous, responses));
  const [newest] = uses;
  const why = newest && isLoss(newest.use) ? newest.use : reasonToSend(candidate, basis);
  const source = { kind: 'sent', why, previous: isLinked ? previous : undefined } as const;
  const planned: PlannedContent = { content, source, earlier: newestAnalysis, newer };
  return { planned, unknownPointers, lost };
}

/** A `failed` record is not lost, because it says why the file is not sent again. */
function isLost({ record, use }: RecordInUse): boolean {
  return record.kind !== 'failed' && use !== 'earlier result too old' && (isLoss(use) || use === 'failed');
}

/** Whether the analysis of the file covers the media type that the same bytes have under the name of a pointer. */
function isCoveredBy({ file }: Content, { path }: LfsPointer): boolean {
  return file !== undefined && includesAnalysisOf(file.type, analysedUnder(path, file.type));
}

/** A failure that the service has healed is awaited, and an open record that has failed for good is shown as failed. */
function sourceOf({ record, use }: RecordInUse): Source {
  if (isAnalysed(record)) return { kind: 'reused', record };
  return { kind: use === 'failed' ? 'failed' : 'awaited', record };
}

/** Takes name and category from the record, because the asset at the service has those that an earlier run sent. */
export function asSent(content: Content, { name, category }: ContentRecord): Content {
  return { ...content, name, category };
}

function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

function reasonToSend(
  { content: { sha256 }, previous }: CandidateContent,
  { earlierState, sidekicks }: PlanBasis,
): SendReason {
  const records = earlierState.records.get(sha256);
  if (!records) return previous ? 'changed' : 'new';
  return records.some((each) => each.sidekicks === sidekicks) ? 'media type changed' : 'sidekicks changed';
}

export function contentsToSend(plan: Plan): readonly SendableContent[] {
  return withSource(plan, 'sent')
    .map(({ content }) => content)
    .filter(isSendable);
}

/** The submissions that hold the earlier versions of the contents, by content hash. */
export function previousSubmissions(plan: Plan): ReadonlyMap<string, string> {
  return new Map(
    withSource(plan, 'sent').flatMap(({ content: { sha256 }, source: { previous } }) =>
      previous ? [[sha256, previous.submissionId]] : [],
    ),
  );
}

export function awaitedSubmissions(plan: Plan, earlierState: EarlierState): readonly AwaitedSubmission[] {
  const awaited = withSource(plan, 'awaited').map(({ content, source: { record } }) => ({ content, record }));
  return submissionsOf(awaited, earlierState);
}

/** The submissions of the records, each with its contents. */
export function submissionsOf(
  files: readonly { readonly content: Content; readonly record: ContentRecord }[],
  earlierState: EarlierState,
): readonly AwaitedSubmission[] {
  const groups = Map.groupBy(files, ({ record }) => idKey(record.submissionId));
  return [...groups].map(([key, group]) => ({
    submissionId: group[0]?.record.submissionId ?? key,
    createdAt: group.map(({ record }) => record.at).toSorted()[0] ?? '',
    contents: group.map(({ content }) => content),
    otherFiles: otherFilesIn({ submissionId: key }, earlierState),
  }));
}

/** The files of the state: a submission may list other files of its first run, or the earlier version of a file. */
export function otherFilesIn(
  { submissionId }: Pick<AwaitedSubmission, 'submissionId'>,
  { records }: EarlierState,
): NonNullable<AwaitedSubmission['otherFiles']> {
  const all = [...records.values()].flat();
  const inSubmission = all.filter((record) => idKey(record.submissionId) === idKey(submissionId));
  return {
    names: [...new Set(all.map(({ name }) => name))],
    assetKeys: new Set(inSubmission.filter(isAnalysed).map(({ assetId }) => idKey(assetId))),
    pending: inSubmission.filter((record) => !isAnalysed(record)).map(({ name }) => name),
  };
}

/** Every reason why a file cannot be sent. All reasons are reported together, before a file is sent. */
export function problemsIn(
  plan: Plan,
  { problems }: Inspection,
  { maxFiles, workflow }: Pick<Inputs, 'maxFiles'> & Pick<RunContext, 'workflow'>,
): readonly Cause[] {
  const unknown = plan.unknownPointers.map((pointer) => pointerProblem(pointer, workflow));
  const number = withSource(plan, 'sent').length;
  const fix =
    'Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed. Then commit and push.';
  // Prevents a surprise bill: a pattern that matches a whole archive fails the check, and nothing is sent.
  const message = `${number} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`;
  return [...problems, ...unknown, ...(number > maxFiles ? [forOwner('pre-flight', message, fix)] : [])];
}

function firstPaths(entries: readonly Pick<PlannedContent, 'content'>[]): string {
  return formatList(entries.map(({ content: { paths } }) => paths[0]));
}

/** The warning about files that are paid for again, unless `reuse-days` asks for that. Undefined if there are none. */
export function describeLosses(plan: Plan, isSandbox: boolean): string | undefined {
  const lost = withSource(plan, 'sent').filter(
    ({ source: { why } }) => isLoss(why) && why !== 'earlier result too old',
  );
  if (lost.length === 0) return undefined;
  const reasons = [...Map.groupBy(lost, ({ source }) => source.why)].map(
    ([why, group]) => `${why}: ${firstPaths(group)}`,
  );
  return `${plural(lost.length, 'file')} will be ${isSandbox ? 'sent' : 'analysed and billed'} again (${reasons.join('; ')}).`;
}

/** The notice about files that the service did not link to their earlier version. Undefined if there are none. */
export function describeUnlinkedVersions(
  plan: Plan,
  analyses: readonly Analysis[],
  linked: ReadonlyMap<string, string>,
): string | undefined {
  const versions = new Map(analyses.map((analysis) => [analysis.content.sha256, analysis]));
  const unlinked = withSource(plan, 'sent').filter(({ content: { sha256 }, source: { previous } }) => {
    const { versionNumber, versionGroupId = '' } = versions.get(sha256) ?? {};
    if (!linked.has(sha256) || versionNumber === undefined) return false;
    const group = previous?.versionGroupId;
    return versionNumber === 1 || (group !== undefined && idKey(versionGroupId) !== idKey(group));
  });
  if (unlinked.length === 0) return undefined;
  return `The service did not link ${plural(unlinked.length, 'file')} to the earlier version: ${firstPaths(unlinked)}. The analysis is not affected, only the version history at the service.`;
}

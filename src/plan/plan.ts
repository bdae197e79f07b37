import { createHash } from 'node:crypto';
import type { Cause } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { type Content, representativeFile, type SendableContent, uploadName } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { LfsPointer } from '../media/lfs.ts';
import { categoryOfName, includesAnalysisOf } from '../media/media-types.ts';
import type { ContentResult } from '../service/asset-outcome.ts';
import { isYounger, type KnownContent } from '../state/document.ts';
import type { EarlierState } from '../state/earlier-state.ts';

/** Why a content is sent. Shown after "sent:". */
export type SendReason =
  | 'new'
  | 'changed'
  | 'sidekicks changed'
  | 'media type changed'
  | 'earlier result too old'
  | Loss;

/** Why an earlier analysis cannot be used. */
export type Loss = 'no longer at the service' | 'earlier analysis failed' | 'earlier analysis never finished';

/** Whether an earlier run had already paid for an analysis of the same bytes by the same sidekicks. */
export function isPaidAgain(reason: SendReason): boolean {
  return !['new', 'changed', 'sidekicks changed', 'media type changed'].includes(reason);
}

export interface ContentToSubmit {
  readonly content: SendableContent;
  readonly why: SendReason;
  /** Links it to its earlier version. */
  readonly previousSubmissionId: string | undefined;
  /** Of the earlier version, if it is known: the new one should be in the same group. */
  readonly previousGroupId?: string | undefined;
}

export interface ReusedContent {
  readonly content: Content;
  readonly known: KnownContent;
}

export interface AwaitedSubmission {
  readonly submissionId: string;
  readonly createdAt: string;
  readonly contents: readonly Content[];
  /** All its assets, once the service has named them. */
  readonly assetIds?: readonly string[];
}

/** inspect → plan → upload: every content has exactly one source. */
export interface Plan {
  readonly toSubmit: readonly ContentToSubmit[];
  readonly toReuse: readonly ReusedContent[];
  readonly toAwait: readonly AwaitedSubmission[];
  /** Git LFS pointers to contents that no earlier run analysed: they cannot be judged. */
  readonly unknownPointers: readonly LfsPointer[];
}

export interface PlanRules {
  readonly repositoryId: string;
  readonly reuseDays: number;
  /** A hash of the sidekicks: others make another analysis of the same bytes. */
  readonly sidekicks: string;
  readonly now: Date;
}

export interface PlanOptions {
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
  readonly earlierState: EarlierState;
  readonly losses?: Losses;
  readonly rules: PlanRules;
}

/** What the service no longer has, or cannot give. */
export interface Losses {
  /** Submissions that the service no longer has. */
  readonly submissions: ReadonlySet<string>;
  /** Contents whose earlier analysis cannot be used, by sha256. */
  readonly contents: ReadonlyMap<string, Loss>;
}

export const NO_LOSSES: Losses = { submissions: new Set(), contents: new Map() };

export function hashSidekicks(sidekickIds: readonly string[] | undefined): string {
  return sidekickIds ? createHash('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '';
}

/** Decides what is reused, what is awaited and what is sent. */
export function makePlan({ files, pointers, earlierState, losses = NO_LOSSES, rules }: PlanOptions): Plan {
  const basis = { earlierState, losses, rules };
  const openBySha = openContents(basis);
  const toSubmit: ContentToSubmit[] = [];
  const toReuse: ReusedContent[] = [];
  const awaited = new Map<string, { createdAt: string; contents: Content[] }>();
  const unknownPointers: LfsPointer[] = [];

  for (const group of groupByContent(files, pointers)) {
    const content = contentOfGroup(group, rules.repositoryId);
    const known = earlierState.analysis(content.sha256, rules.sidekicks);
    const open = openBySha.get(content.sha256);
    if (known && isReusable(known, basis) && isAnalysedAs(known.name, group)) {
      toReuse.push({ content: { ...content, name: known.name }, known });
    } else if (open && isAnalysedAs(open.name, group)) {
      const entry = awaited.get(open.submissionId) ?? { createdAt: open.createdAt, contents: [] };
      entry.contents.push({ ...content, name: open.name });
      awaited.set(open.submissionId, entry);
    } else if (isSendable(content)) {
      toSubmit.push({ content, ...reasonToSend(content, known, basis) });
    } else {
      unknownPointers.push(...group.pointers);
    }
  }
  return {
    toSubmit,
    toReuse,
    toAwait: [...awaited].map(([submissionId, entry]) => ({ submissionId, ...entry })),
    unknownPointers,
  };
}

/** What every content is planned by. */
interface Basis {
  readonly earlierState: EarlierState;
  readonly losses: Losses;
  readonly rules: PlanRules;
}

interface ContentGroup {
  readonly sha256: string;
  readonly files: MediaFile[];
  readonly pointers: LfsPointer[];
}

function groupByContent(files: readonly MediaFile[], pointers: readonly LfsPointer[]): Iterable<ContentGroup> {
  const groups = new Map<string, ContentGroup>();
  const groupOf = (sha256: string): ContentGroup => {
    const group = groups.get(sha256) ?? { sha256, files: [], pointers: [] };
    groups.set(sha256, group);
    return group;
  };
  for (const file of files) groupOf(file.sha256).files.push(file);
  for (const pointer of pointers) groupOf(pointer.sha256).pointers.push(pointer);
  return groups.values();
}

/**
 * If bytes can be of two categories, the name decides: the same bytes as audio and as video are two analyses, and one of
 * them does not cover the other.
 */
function isAnalysedAs(name: string, { files, pointers }: ContentGroup): boolean {
  const analysed = categoryOfName(name);
  // A pointer without a known extension was classified by its bytes when it was analysed.
  const named = pointers.map(({ path }) => categoryOfName(path)).filter((category) => category !== undefined);
  return [...files.map(({ type }) => type.category), ...named].every((wanted) => includesAnalysisOf(analysed, wanted));
}

function contentOfGroup({ sha256, files, pointers }: ContentGroup, repositoryId: string): Content {
  const file = representativeFile(files) ?? files[0];
  const paths = [...files, ...pointers].map(({ path }) => path).toSorted();
  return {
    sha256,
    size: file?.stamp.size ?? pointers[0]?.size ?? 0,
    category: file?.type.category,
    paths,
    file,
    name: file ? uploadName(file.path, { sha256, repositoryId, extension: file.type.extension }) : '',
  };
}

function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

function isTooOld({ analysedAt }: KnownContent, { reuseDays, now }: PlanRules): boolean {
  return !isYounger(analysedAt, reuseDays, now);
}

function isReusable(known: KnownContent, { losses, rules }: Basis): boolean {
  return !isTooOld(known, rules) && !losses.submissions.has(known.submissionId) && !losses.contents.has(known.sha256);
}

interface OpenContent {
  readonly submissionId: string;
  readonly createdAt: string;
  readonly name: string;
}

/** Also used with `reuse-days: 0`: an analysis that is still under way is not old. */
function openContents({ earlierState, losses, rules: { sidekicks } }: Basis): ReadonlyMap<string, OpenContent> {
  // A content that was judged since then is no longer open, even if an older state still lists it.
  const isJudged = (sha256: string, createdAt: string): boolean =>
    (earlierState.analysis(sha256, sidekicks)?.analysedAt ?? '') >= createdAt;
  const bySha = new Map<string, OpenContent>();
  for (const { submissionId, createdAt, sidekicks: used, contents } of earlierState.open) {
    if (used !== sidekicks || losses.submissions.has(submissionId)) continue;
    for (const { sha256, name } of contents) {
      // If it was sent twice, the later one counts: the first may have failed.
      const isLater = createdAt > (bySha.get(sha256)?.createdAt ?? '');
      const isOpen = !losses.contents.has(sha256) && !isJudged(sha256, createdAt);
      if (isLater && isOpen) bySha.set(sha256, { submissionId, createdAt, name });
    }
  }
  return bySha;
}

/** @param known its analysis with the sidekicks of this run */
function reasonToSend(
  content: Content,
  known: KnownContent | undefined,
  basis: Basis,
): Omit<ContentToSubmit, 'content'> {
  const { earlierState, losses, rules } = basis;
  const earlier = content.paths.map((path) => earlierState.path(path)).find((path) => path !== undefined);
  // The same content at another path was renamed: its history goes on.
  const anyAnalysis = earlierState.content(content.sha256);
  const previousId = earlier?.submissionId ?? anyAnalysis?.submissionId;
  const previous = earlier ? earlierState.content(earlier.sha256) : anyAnalysis;
  const isGone = previousId === undefined || losses.submissions.has(previousId);
  const why = (): SendReason => {
    const loss = losses.contents.get(content.sha256);
    if (loss) return loss;
    if (known && losses.submissions.has(known.submissionId)) return 'no longer at the service';
    if (known) return isTooOld(known, rules) ? 'earlier result too old' : 'media type changed';
    if (anyAnalysis) return 'sidekicks changed';
    if (wasOpenIn(losses.submissions, content.sha256, earlierState)) return 'no longer at the service';
    return earlier ? 'changed' : 'new';
  };
  return {
    why: why(),
    previousSubmissionId: isGone ? undefined : previousId,
    previousGroupId: isGone ? undefined : previous?.versionGroupId,
  };
}

function wasOpenIn(submissions: ReadonlySet<string>, sha256: string, earlierState: EarlierState): boolean {
  return earlierState.open.some(
    ({ submissionId, contents }) =>
      submissions.has(submissionId) && contents.some((content) => content.sha256 === sha256),
  );
}

/** By content: the submission that holds its earlier version. */
export function previousSubmissions(entries: readonly ContentToSubmit[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ content, previousSubmissionId }) =>
      previousSubmissionId === undefined ? [] : [[content.sha256, previousSubmissionId]],
    ),
  );
}

/**
 * The notice about files that came back as first versions, or in another version group, although an earlier submission
 * was named.
 *
 * @param sent by content: the earlier submission that the creation named
 */
export function describeUnlinkedVersions(
  entries: readonly ContentToSubmit[],
  results: readonly ContentResult[],
  sent: ReadonlyMap<string, string>,
): string | undefined {
  const resultOf = new Map(results.map((result) => [result.content.sha256, result]));
  const unlinked = entries.filter(({ content, previousGroupId }) => {
    const result = resultOf.get(content.sha256);
    if (!result || !sent.has(content.sha256) || result.versionNumber === undefined) return false;
    const isOtherGroup = previousGroupId !== undefined && result.versionGroupId !== previousGroupId;
    return result.versionNumber === 1 || isOtherGroup;
  });
  if (unlinked.length === 0) return undefined;
  const paths = formatList(unlinked.map(({ content }) => content.file.path));
  return `The service did not link ${plural(unlinked.length, 'file')} to the earlier version: ${paths}. The analysis is not affected, only the version history at the service.`;
}

/** A guard against a surprise bill: a pattern that matches a whole archive fails the check instead. */
export function tooMany({ toSubmit }: Plan, maxFiles: number): readonly Cause[] {
  if (toSubmit.length <= maxFiles) return [];
  return [
    {
      reason: 'pre-flight',
      message: `${toSubmit.length} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`,
      fix: 'Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed and billed. Then commit and push.',
    },
  ];
}

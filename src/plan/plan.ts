import { createHash } from 'node:crypto';
import type { Cause } from '../lib/cause.ts';
import { type Content, representativeFile, type SendableContent } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { LfsPointer } from '../media/lfs.ts';
import { categoryOfName, includesAnalysisOf } from '../media/media-types.ts';
import { uploadName } from '../media/upload-name.ts';
import { isYounger, type KnownContent } from '../state/document.ts';
import type { EarlierState } from '../state/earlier-state.ts';

/** Why a content is sent, in words that fit behind "sent". */
export type SendReason = 'new' | 'changed' | 'analysed too long ago' | 'other sidekicks' | 'another type' | Loss;

/** Why an earlier analysis is of no use. */
export type Loss = 'gone from the service' | 'failed before' | 'never finished';

export interface Submit {
  readonly content: SendableContent;
  readonly why: SendReason;
  /** Links it to its earlier version. */
  readonly previousSubmissionId: string | undefined;
}

export interface Reuse {
  readonly content: Content;
  readonly known: KnownContent;
}

export interface Await {
  readonly submissionId: string;
  readonly createdAt: string;
  readonly contents: readonly Content[];
}

/** inspect → plan → upload: every content has exactly one source. */
export interface Plan {
  readonly submit: readonly Submit[];
  readonly reuse: readonly Reuse[];
  readonly await: readonly Await[];
  /** Git LFS pointers whose content no earlier run knows: they cannot be judged. */
  readonly unknownPointers: readonly LfsPointer[];
}

export interface PlanRules {
  readonly repositoryId: string;
  readonly reuseDays: number;
  /** Of this run's analyses: another set of sidekicks is another analysis. */
  readonly settings: string;
  readonly now: Date;
}

/** What of the earlier runs turned out not to be there any more. */
export interface Losses {
  /** Submissions that the service no longer has. */
  readonly submissions: ReadonlySet<string>;
  /** Contents whose earlier analysis is of no use, by sha256. */
  readonly contents: ReadonlyMap<string, Loss>;
}

export const NO_LOSSES: Losses = { submissions: new Set(), contents: new Map() };

export function settingsOf(sidekickIds: readonly string[] | undefined): string {
  return sidekickIds ? createHash('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '';
}

/** Decides what is reused, what is awaited and what is sent. */
export function plan(
  files: readonly MediaFile[],
  pointers: readonly LfsPointer[],
  earlierState: EarlierState,
  losses: Losses,
  rules: PlanRules,
): Plan {
  const openBySha = openContents(earlierState, losses, rules);
  const submit: Submit[] = [];
  const reuse: Reuse[] = [];
  const awaited = new Map<string, { createdAt: string; contents: Content[] }>();
  const unknownPointers: LfsPointer[] = [];

  for (const group of groupByContent(files, pointers)) {
    const content = contentOf(group, rules.repositoryId);
    const known = earlierState.analysis(content.sha256, rules.settings);
    const open = openBySha.get(content.sha256);
    if (known && isReusable(known, losses, rules) && isLookedAtAs(known.name, group)) {
      reuse.push({ content: { ...content, name: known.name }, known });
    } else if (open && isLookedAtAs(open.name, group)) {
      const entry = awaited.get(open.submissionId) ?? { createdAt: open.createdAt, contents: [] };
      entry.contents.push({ ...content, name: open.name });
      awaited.set(open.submissionId, entry);
    } else if (isSendable(content)) {
      submit.push({ content, ...reasonToSend(content, known, earlierState, losses, rules) });
    } else {
      unknownPointers.push(...group.pointers);
    }
  }
  return {
    submit,
    reuse,
    await: [...awaited].map(([submissionId, entry]) => ({ submissionId, ...entry })),
    unknownPointers,
  };
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
 * Where bytes do not tell what they are, their name does: the same bytes as sound and as film are two analyses, and one
 * of them is not enough for the other.
 */
function isLookedAtAs(name: string, { files, pointers }: ContentGroup): boolean {
  const analysed = categoryOfName(name);
  // What the name of a pointer does not tell, its bytes have told.
  const named = pointers.map(({ path }) => categoryOfName(path)).filter((category) => category !== undefined);
  return [...files.map(({ type }) => type.category), ...named].every((wanted) => includesAnalysisOf(analysed, wanted));
}

function contentOf({ sha256, files, pointers }: ContentGroup, repositoryId: string): Content {
  const file = representativeFile(files) ?? files[0];
  const paths = [...files, ...pointers].map(({ path }) => path).toSorted();
  return {
    sha256,
    size: file?.stamp.size ?? pointers[0]?.size ?? 0,
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

function isReusable(known: KnownContent, losses: Losses, rules: PlanRules): boolean {
  return !isTooOld(known, rules) && !losses.submissions.has(known.submissionId) && !losses.contents.has(known.sha256);
}

interface OpenContent {
  readonly submissionId: string;
  readonly createdAt: string;
  readonly name: string;
}

/** With `reuse-days: 0` too: what is still being analysed is not old. */
function openContents(
  earlierState: EarlierState,
  losses: Losses,
  { settings }: PlanRules,
): ReadonlyMap<string, OpenContent> {
  // What was judged since then is not open any more, whoever still says so.
  const isJudged = (sha256: string, createdAt: string): boolean =>
    (earlierState.analysis(sha256, settings)?.analysedAt ?? '') >= createdAt;
  const bySha = new Map<string, OpenContent>();
  for (const { submissionId, createdAt, settings: used, contents } of earlierState.open) {
    if (used !== settings || losses.submissions.has(submissionId)) continue;
    for (const { sha256, name } of contents) {
      // Sent twice, the later one counts: the first may have failed.
      const isLater = createdAt > (bySha.get(sha256)?.createdAt ?? '');
      const isOpen = !losses.contents.has(sha256) && !isJudged(sha256, createdAt);
      if (isLater && isOpen) bySha.set(sha256, { submissionId, createdAt, name });
    }
  }
  return bySha;
}

/** @param known its analysis with the settings of this run */
function reasonToSend(
  content: Content,
  known: KnownContent | undefined,
  earlierState: EarlierState,
  losses: Losses,
  rules: PlanRules,
): Omit<Submit, 'content'> {
  const earlier = content.paths.map((path) => earlierState.path(path)).find((path) => path !== undefined);
  // A content that lies elsewhere now was renamed: its history goes on.
  const anyAnalysis = known ?? earlierState.content(content.sha256);
  const previous = earlier?.submissionId ?? anyAnalysis?.submissionId;
  const why = (): SendReason => {
    const loss = losses.contents.get(content.sha256);
    if (loss) return loss;
    if (known && losses.submissions.has(known.submissionId)) return 'gone from the service';
    if (known) return isTooOld(known, rules) ? 'analysed too long ago' : 'another type';
    if (anyAnalysis) return 'other sidekicks';
    if (wasOpenIn(losses.submissions, content.sha256, earlierState)) return 'gone from the service';
    return earlier ? 'changed' : 'new';
  };
  return {
    why: why(),
    previousSubmissionId: previous !== undefined && losses.submissions.has(previous) ? undefined : previous,
  };
}

function wasOpenIn(submissions: ReadonlySet<string>, sha256: string, earlierState: EarlierState): boolean {
  if (submissions.size === 0) return false;
  return earlierState.open.some(
    ({ submissionId, contents }) =>
      submissions.has(submissionId) && contents.some((content) => content.sha256 === sha256),
  );
}

/** By content: the submission that holds its earlier version. */
export function previousSubmissions(entries: readonly Submit[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ content, previousSubmissionId }) =>
      previousSubmissionId === undefined ? [] : [[content.sha256, previousSubmissionId]],
    ),
  );
}

/** A guard against a surprise bill: a pattern that matches a whole archive should cost a red check, not money. */
export function tooMany({ submit }: Plan, maxFiles: number): readonly Cause[] {
  if (submit.length <= maxFiles) return [];
  return [
    {
      reason: 'pre-flight',
      message: `${submit.length} files would be sent, and \`max-files\` allows ${maxFiles}. Nothing was sent.`,
      fix: 'Narrow the patterns in `files`, or raise `max-files` if you mean to pay for them all.',
    },
  ];
}

import { createHash } from 'node:crypto';
import { type Cause, workflowOwner } from '../lib/cause.ts';
import { type Content, representativeFile, type SendableContent, uploadName } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { LfsPointer } from '../media/lfs.ts';
import { type Category, categoryOfName, includesAnalysisOf } from '../media/media-types.ts';
import type { OpenSubmission } from '../service/submit.ts';
import { isYounger, type KnownContent, type KnownPath } from '../state/document.ts';
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

/** Where the analysis of a content comes from. */
export type Source = SubmitSource | AwaitSource | ReuseSource;

export interface SubmitSource {
  readonly kind: 'submit';
  readonly why: SendReason;
  /** Links it to its earlier version. */
  readonly previousSubmissionId: string | undefined;
  /** Of the earlier version, if it is known: the new one should be in the same group. */
  readonly previousGroupId: string | undefined;
}

export interface AwaitSource {
  readonly kind: 'await';
  readonly submissionId: string;
  readonly createdAt: string;
  /** Its assets, as far as the earlier run knew them. */
  readonly assetIds: readonly string[];
}

export interface ReuseSource {
  readonly kind: 'reuse';
  readonly known: KnownContent;
}

/** plan → upload: every content has exactly one source. */
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

export interface PlanRules {
  readonly repositoryId: string;
  readonly reuseDays: number;
  /** A hash of the sidekicks: others make another analysis of the same bytes. */
  readonly sidekicks: string;
  readonly now: Date;
}

/** What a plan is made from. */
export interface PlanBasis {
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
  readonly earlierState: EarlierState;
  readonly rules: PlanRules;
}

export function hashSidekicks(sidekickIds: readonly string[] | undefined): string {
  return sidekickIds ? createHash('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '';
}

/** The contents of a plan that have a source of this kind. */
export function withSource<Kind extends Source['kind']>(
  { contents }: Plan,
  kind: Kind,
): readonly PlannedContent<Extract<Source, { kind: Kind }>>[] {
  return contents.filter((each): each is PlannedContent<Extract<Source, { kind: Kind }>> => each.source.kind === kind);
}

/** Whether everything is reused, so that no other state need be looked for: what is open in one may be analysed in another. */
export function isAllReused(plan: Plan): boolean {
  return plan.unknownPointers.length === 0 && plan.contents.every(({ source }) => source.kind === 'reuse');
}

/**
 * Decides what is reused, what is awaited and what is sent.
 *
 * @param losses by sha256: contents whose earlier analysis cannot be used
 */
export function makePlan(basis: PlanBasis, losses: ReadonlyMap<string, Loss> = new Map()): Plan {
  const { files, pointers, earlierState, rules } = basis;
  const openBySha = openContents(basis);
  const groups = groupByContent(files, pointers).map((group) => ({
    group,
    earlier: earlierOf(group, openBySha, basis),
  }));
  const gone = new Set(
    groups.flatMap(({ group, earlier }) => (earlier && losses.has(group.sha256) ? [submissionOf(earlier)] : [])),
  );
  const contents: PlannedContent[] = [];
  const unknownPointers: LfsPointer[] = [];
  for (const { group, earlier } of groups) {
    const content = contentOfGroup(group, rules.repositoryId);
    const loss = losses.get(content.sha256);
    if (earlier && loss === undefined) {
      const { name, category, source } = earlier;
      contents.push({ content: { ...content, name, category }, source });
    } else if (isSendable(content)) {
      const why = loss ?? reasonToSend(content, basis);
      contents.push({ content, source: { kind: 'submit', why, ...earlierVersion(content, earlierState, gone) } });
    } else {
      unknownPointers.push(...group.pointers);
    }
  }
  return { contents, unknownPointers };
}

/** A content that an earlier run sent, and where its analysis is. */
interface EarlierContent {
  readonly name: string;
  readonly category: Category;
  readonly source: AwaitSource | ReuseSource;
}

function earlierOf(
  group: ContentGroup,
  openBySha: ReadonlyMap<string, readonly OpenContent[]>,
  { earlierState, rules: { sidekicks, reuseDays, now } }: PlanBasis,
): EarlierContent | undefined {
  const known = earlierState
    .analyses(group.sha256)
    .find((analysis) => analysis.sidekicks === sidekicks && isAnalysedAs(analysis.category, group));
  // What was sent since it was analysed comes first: the earlier analysis may be gone.
  const open = openBySha
    .get(group.sha256)
    ?.find(({ category, source }) => source.createdAt > (known?.analysedAt ?? '') && isAnalysedAs(category, group));
  if (open) return open;
  if (!known || !isYounger(known.analysedAt, reuseDays, now)) return undefined;
  return { name: known.name, category: known.category, source: { kind: 'reuse', known } };
}

/** The submission that a content is awaited in or reused from. */
export function submissionOf({ source }: Pick<PlannedContent, 'source'>): string | undefined {
  if (source.kind === 'submit') return undefined;
  return source.kind === 'await' ? source.submissionId : source.known.submissionId;
}

interface ContentGroup {
  readonly sha256: string;
  readonly files: MediaFile[];
  readonly pointers: LfsPointer[];
}

function groupByContent(files: readonly MediaFile[], pointers: readonly LfsPointer[]): readonly ContentGroup[] {
  const groups = new Map<string, ContentGroup>();
  const groupOf = (sha256: string): ContentGroup => {
    const group = groups.get(sha256) ?? { sha256, files: [], pointers: [] };
    groups.set(sha256, group);
    return group;
  };
  for (const file of files) groupOf(file.sha256).files.push(file);
  for (const pointer of pointers) groupOf(pointer.sha256).pointers.push(pointer);
  return [...groups.values()];
}

/**
 * If bytes can be of two categories, the name decides: the same bytes as audio and as video are two analyses, and one of
 * them does not cover the other.
 */
function isAnalysedAs(analysed: Category, { files, pointers }: ContentGroup): boolean {
  // A pointer without a known extension was classified by its bytes when it was analysed.
  const named = pointers.map(({ path }) => categoryOfName(path)).filter((category) => category !== undefined);
  const wanted = [...files.map(({ type }) => type.category ?? 'document'), ...named];
  return wanted.every((category) => includesAnalysisOf(analysed, category));
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

export function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

interface OpenContent extends EarlierContent {
  readonly sha256: string;
  readonly source: AwaitSource;
}

/**
 * By sha256; if it was sent twice, the later one first: the other may have failed. Also used with `reuse-days: 0`: an
 * analysis that is still under way is not old.
 */
function openContents({ earlierState, rules }: PlanBasis): ReadonlyMap<string, readonly OpenContent[]> {
  const open = earlierState.open
    .filter(({ sidekicks }) => sidekicks === rules.sidekicks)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .flatMap(({ submissionId, createdAt, assetIds, contents }) =>
      contents.map((each) => ({ ...each, source: { kind: 'await' as const, submissionId, createdAt, assetIds } })),
    );
  return Map.groupBy(open, ({ sha256 }) => sha256);
}

/** @param gone submissions that no longer hold what they held */
function earlierVersion(
  { sha256, paths }: Content,
  earlierState: EarlierState,
  gone: ReadonlySet<string | undefined>,
): Pick<SubmitSource, 'previousSubmissionId' | 'previousGroupId'> {
  const path = lastHeld(paths, earlierState);
  // The same content at another path was renamed: its history goes on.
  const [content] = earlierState.analyses(path?.sha256 ?? sha256);
  const id = path?.submissionId ?? content?.submissionId;
  if (gone.has(id)) return { previousSubmissionId: undefined, previousGroupId: undefined };
  return { previousSubmissionId: id, previousGroupId: content?.versionGroupId };
}

function lastHeld(paths: readonly string[], earlierState: EarlierState): KnownPath | undefined {
  return paths.map((path) => earlierState.path(path)).find((path) => path !== undefined);
}

function reasonToSend(
  { sha256, paths, category = 'document' }: Content,
  { earlierState, rules }: PlanBasis,
): SendReason {
  const analyses = earlierState.analyses(sha256);
  if (analyses.length === 0) return lastHeld(paths, earlierState) ? 'changed' : 'new';
  const bySame = analyses.filter(({ sidekicks }) => sidekicks === rules.sidekicks);
  if (bySame.length === 0) return 'sidekicks changed';
  const isSame = bySame.some((analysis) => includesAnalysisOf(analysis.category, category));
  return isSame ? 'earlier result too old' : 'media type changed';
}

/** By content: the submission that holds its earlier version. */
export function previousSubmissions(plan: Plan): ReadonlyMap<string, string> {
  return new Map(
    withSource(plan, 'submit').flatMap(({ content: { sha256 }, source: { previousSubmissionId: id } }) =>
      id === undefined ? [] : [[sha256, id]],
    ),
  );
}

/** The submissions of earlier runs that have to be waited for, with the contents of this run in each. */
export function awaitedSubmissions(plan: Plan): readonly OpenSubmission[] {
  const groups = Map.groupBy(withSource(plan, 'await'), ({ source }) => source.submissionId);
  return [...groups.values()].flatMap((group) => {
    const contents = group.map(({ content }) => content);
    return group
      .slice(0, 1)
      .map(({ source: { submissionId, createdAt, assetIds } }) => ({ submissionId, createdAt, assetIds, contents }));
  });
}

/** A guard against a surprise bill: a pattern that matches a whole archive fails the check instead. */
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

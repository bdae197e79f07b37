import { createHash } from 'node:crypto';
import { type Cause, workflowOwner } from '../lib/cause.ts';
import { type Content, representativeFile, type SendableContent, uploadName } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { LfsPointer } from '../media/lfs.ts';
import { type AnalysedAs, extensionOf, includesAnalysisOf, typeOfName } from '../media/media-types.ts';
import type { OpenSubmission } from '../service/submit.ts';
import {
  type AnalysedRecord,
  type ContentRecord,
  isAnalysed,
  isYounger,
  type KnownPath,
  type OpenRecord,
} from '../state/document.ts';
import { analysisId, type EarlierState } from '../state/earlier-state.ts';

/** Why a content is sent. Shown after "sent:". */
export type SendReason =
  | 'new'
  | 'changed'
  | 'sidekicks changed'
  | 'media type changed'
  | 'earlier result too old'
  | Loss;

/** Why an earlier analysis cannot be used. */
const LOSSES = ['no longer at the service', 'earlier analysis failed', 'earlier analysis never finished'] as const;
export type Loss = (typeof LOSSES)[number];

export function isLoss(reason: string | undefined): reason is Loss {
  return LOSSES.some((loss) => loss === reason);
}

/** What the service said about an earlier analysis. Without a check, it was not asked. */
export type Check = Loss | 'complete' | 'open';
/** By `analysisId`. */
export type Checks = ReadonlyMap<string, Check>;

export function lostIn(checks: Checks): ReadonlySet<string> {
  return new Set([...checks].filter(([, check]) => isLoss(check)).map(([id]) => id));
}

/** Whether an earlier run had already paid for an analysis of the same bytes by the same sidekicks. */
export function isPaidAgain(reason: SendReason): boolean {
  return isLoss(reason) || reason === 'earlier result too old';
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
  readonly sent: OpenRecord;
}

export interface ReuseSource {
  readonly kind: 'reuse';
  readonly sent: AnalysedRecord;
}

/** plan → upload: every content has exactly one source. */
export interface PlannedContent<From extends Source = Source> {
  readonly content: Content;
  readonly source: From;
}

export interface Plan {
  readonly contents: readonly PlannedContent[];
  /** Open submissions to ask about: those that are awaited, and those newer than an analysis that is reused, which they replace once complete. */
  readonly open: readonly PlannedContent<AwaitSource>[];
  /** Git LFS pointers to contents that no earlier run analysed: they cannot be judged. */
  readonly unknownPointers: readonly LfsPointer[];
}

export const NO_PLAN: Plan = { contents: [], open: [], unknownPointers: [] };

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
  { contents }: Pick<Plan, 'contents'>,
  kind: Kind,
): readonly PlannedContent<Extract<Source, { kind: Kind }>>[] {
  return contents.filter((each): each is PlannedContent<Extract<Source, { kind: Kind }>> => each.source.kind === kind);
}

/** Whether everything is reused, so that no other state need be looked for: what is open in one may be analysed in another. */
export function isAllReused(plan: Plan): boolean {
  return plan.unknownPointers.length === 0 && plan.contents.every(({ source }) => source.kind === 'reuse');
}

/**
 * Decides what is reused, what is awaited and what is sent. Earlier analyses come first, newest first: those that are known,
 * and those of open submissions that are complete; then what is still open. One that is lost gives way to the next.
 */
export function makePlan(basis: PlanBasis, checks: Checks = new Map()): Plan {
  const checkOf = ({ source }: EarlierContent): Check | undefined => checks.get(analysisId(source.sent));
  const groups = groupByContent(basis.files, basis.pointers).map((group) => {
    const content = contentOfGroup(group, basis.rules.repositoryId);
    const earlier = earlierContents(content, group, basis);
    return { group, content, ...Object.groupBy(earlier, (each) => (isLoss(checkOf(each)) ? 'lost' : 'usable')) };
  });
  const gone = new Set(groups.flatMap(({ lost = [] }) => lost.map(({ source }) => source.sent.submissionId)));
  const contents: PlannedContent[] = [];
  const open: PlannedContent<AwaitSource>[] = [];
  const unknownPointers: LfsPointer[] = [];
  for (const { group, content, lost = [], usable = [] } of groups) {
    const ready = usable.find((each) => each.source.kind === 'reuse' || checkOf(each) === 'complete');
    const first = ready ?? usable[0];
    if (first) {
      contents.push(first);
      const newer = usable.slice(0, ready && usable.indexOf(ready));
      open.push(...withSource({ contents: newer }, 'await'));
    } else if (isSendable(content)) {
      const why = lost.map(checkOf).find(isLoss) ?? reasonToSend(content, basis);
      const source = { kind: 'submit', why, ...earlierVersion(content, basis.earlierState, gone) } as const;
      contents.push({ content, source });
    } else {
      unknownPointers.push(...group.pointers);
    }
  }
  return { contents, open, unknownPointers };
}

/** A content that an earlier run sent, under the name of that run, and where its analysis is. */
export type EarlierContent = PlannedContent<AwaitSource | ReuseSource>;

/** Newest first. */
function earlierContents(
  content: Content,
  group: ContentGroup,
  { earlierState, rules: { sidekicks, reuseDays, now } }: PlanBasis,
): readonly EarlierContent[] {
  return earlierState
    .recordsOf(group.sha256)
    .filter((sent) => sent.sidekicks === sidekicks && isAnalysedAs(sent, group))
    .flatMap((sent) => {
      const asSent = { ...content, name: sent.name, category: sent.category };
      // An analysis that is still under way is not old.
      if (sent.kind === 'open') return { content: asSent, source: { kind: 'await', sent } };
      if (sent.kind === 'failed') return [];
      return isYounger(sent.analysedAt, reuseDays, now) ? { content: asSent, source: { kind: 'reuse', sent } } : [];
    });
}

interface ContentGroup {
  readonly sha256: string;
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
}

function groupByContent(files: readonly MediaFile[], pointers: readonly LfsPointer[]): readonly ContentGroup[] {
  const filesBySha = Map.groupBy(files, ({ sha256 }) => sha256);
  const pointersBySha = Map.groupBy(pointers, ({ sha256 }) => sha256);
  return [...new Set([...filesBySha.keys(), ...pointersBySha.keys()])].map((sha256) => ({
    sha256,
    files: filesBySha.get(sha256) ?? [],
    pointers: pointersBySha.get(sha256) ?? [],
  }));
}

/**
 * If bytes can be of two categories, the name decides: the same bytes as audio and as video are two analyses, and one of
 * them does not cover the other.
 */
function isAnalysedAs(sent: ContentRecord, { files, pointers }: ContentGroup): boolean {
  // A pointer without a known extension was classified by its bytes when it was analysed.
  const named = pointers.flatMap(({ path }) => typeOfName(path) ?? []);
  const wanted = [...files.map(({ type }) => type), ...named];
  return wanted.every((type) => includesAnalysisOf(analysedAs(sent), type));
}

/** The upload name has the extension. */
function analysedAs({ category, name }: ContentRecord): AnalysedAs {
  return { category, extension: extensionOf(name) };
}

function contentOfGroup({ sha256, files, pointers }: ContentGroup, repositoryId: string): Content {
  const file = representativeFile(files) ?? files[0];
  const paths = [...files, ...pointers].map(({ path }) => path).toSorted();
  return {
    sha256,
    size: file?.size ?? pointers[0]?.size ?? 0,
    category: file?.type.category,
    paths,
    file,
    name: file ? uploadName(file.path, { sha256, repositoryId, extension: file.type.extension }) : '',
  };
}

export function isSendable(content: Content): content is SendableContent {
  return content.file !== undefined;
}

/** @param gone submissions that no longer hold what they held */
function earlierVersion(
  { sha256, paths }: Content,
  earlierState: EarlierState,
  gone: ReadonlySet<string>,
): Pick<SubmitSource, 'previousSubmissionId' | 'previousGroupId'> {
  const path = lastHeld(paths, earlierState);
  // The same content at another path was renamed: its history goes on.
  const content = earlierState.recordsOf(path?.sha256 ?? sha256).find(isAnalysed);
  const id = path?.submissionId ?? content?.submissionId;
  if (id !== undefined && gone.has(id)) return { previousSubmissionId: undefined, previousGroupId: undefined };
  return { previousSubmissionId: id, previousGroupId: content?.versionGroupId };
}

function lastHeld(paths: readonly string[], earlierState: EarlierState): KnownPath | undefined {
  return paths.map((path) => earlierState.paths.get(path)).find((path) => path !== undefined);
}

function reasonToSend({ sha256, paths, file }: SendableContent, { earlierState, rules }: PlanBasis): SendReason {
  const analyses = earlierState.recordsOf(sha256).filter(isAnalysed);
  if (analyses.length === 0) return lastHeld(paths, earlierState) ? 'changed' : 'new';
  const bySame = analyses.filter(({ sidekicks }) => sidekicks === rules.sidekicks);
  if (bySame.length === 0) return 'sidekicks changed';
  const isSame = bySame.some((analysis) => includesAnalysisOf(analysedAs(analysis), file.type));
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

/** The submissions of earlier runs that hold these contents. */
export function openSubmissions(awaited: readonly PlannedContent<AwaitSource>[]): readonly OpenSubmission[] {
  const groups = Map.groupBy(awaited, ({ source }) => source.sent.submissionId);
  return [...groups].map(([submissionId, group]) => ({
    submissionId,
    createdAt: group[0]?.source.sent.sentAt ?? '',
    contents: group.map(({ content }) => content),
    assetIds: [],
  }));
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

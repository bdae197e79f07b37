import { type Content, representativeFile, uploadName } from '../media/content.ts';
import type { MediaFile } from '../media/file.ts';
import type { LfsPointer } from '../media/lfs.ts';
import { type AnalysedAs, extensionOf, includesAnalysisOf, typeOfName } from '../media/media-types.ts';
import { type ContentRecord, isAnalysed, isYounger, type PathRecord } from '../state/document.ts';
import type { EarlierState } from '../state/earlier-state.ts';

export interface PlanRules {
  readonly repositoryId: string;
  readonly reuseDays: number;
  /** A hash of the sidekicks: others make another analysis of the same bytes. */
  readonly sidekicks: string;
  /** The second or a later attempt of a run: people re-run a job to have failed files analysed again. */
  readonly isRerun: boolean;
  readonly now: Date;
}

/** What a plan is made from. */
export interface PlanBasis {
  readonly files: readonly MediaFile[];
  readonly pointers: readonly LfsPointer[];
  readonly earlierState: EarlierState;
  readonly rules: PlanRules;
}

/** A content of this run, with what earlier runs left of it. */
export interface CandidateContent {
  readonly content: Content;
  readonly pointers: readonly LfsPointer[];
  /** Records of the same bytes, sidekicks and type, newest first, without analyses that are too old. */
  readonly earlier: readonly ContentRecord[];
  /** The submission that holds its earlier version, for a link. */
  readonly previous: PreviousVersion | undefined;
}

interface PreviousVersion {
  readonly submissionId: string;
  /** The new version should be in the same group. Undefined if it is not known. */
  readonly versionGroupId: string | undefined;
}

/** The contents of this run, each with every earlier record that could be its source. */
export function candidatesIn({ files, pointers, earlierState, rules }: PlanBasis): readonly CandidateContent[] {
  return groupByContent(files, pointers).map((group) => {
    const content = contentOfGroup(group, rules.repositoryId);
    const earlier = earlierState
      .recordsOf(group.sha256)
      .filter((record) => record.sidekicks === rules.sidekicks && isAnalysedAs(record, group))
      .filter((record) => !isAnalysed(record) || isYounger(record.at, rules.reuseDays, rules.now));
    return { content, pointers: group.pointers, earlier, previous: previousVersion(content, earlierState) };
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

/** If bytes fit several types, the names decide: an analysis as audio does not cover a copy that is named as a film. */
function isAnalysedAs(record: ContentRecord, { files, pointers }: ContentGroup): boolean {
  // A pointer without a known extension was classified by its bytes when it was analysed.
  const named = pointers.flatMap(({ path }) => typeOfName(path) ?? []);
  const wanted = [...files.map(({ type }) => type), ...named];
  return wanted.every((type) => includesAnalysisOf(analysedAs(record), type));
}

/** The upload name has the extension. */
export function analysedAs({ category, name }: ContentRecord): AnalysedAs {
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

function previousVersion({ sha256, paths }: Content, earlierState: EarlierState): PreviousVersion | undefined {
  const last = lastHeld(paths, earlierState);
  // The same content at another path was renamed: its history goes on.
  const analysis = earlierState.recordsOf(last?.sha256 ?? sha256).find(isAnalysed);
  const submissionId = last?.submissionId ?? analysis?.submissionId;
  return submissionId === undefined ? undefined : { submissionId, versionGroupId: analysis?.versionGroupId };
}

/** What the first of these paths with a history last held. */
export function lastHeld(paths: readonly string[], earlierState: EarlierState): PathRecord | undefined {
  return paths.map((path) => earlierState.paths.get(path)).find((record) => record !== undefined);
}

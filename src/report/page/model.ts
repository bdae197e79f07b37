import { Budget, truncate } from '../budget.ts';
import { countFiles } from '../phrases.ts';
import {
  isClean,
  type ListedIssue,
  type Report,
  type ReportedAsset,
  type ReportedIssue,
  worstFirst,
} from '../report.ts';
import { type Facet, facetsOf } from './facets.ts';
import { type FileFrame, fileFrame, fileSection, type PageFile, playableId } from './file.ts';
import type { Html } from './html.ts';
import { issueBlock } from './issue.ts';
import { type EmbeddedMedia, MAX_PAGE_BYTES } from './media.ts';

/** More makes a page that is slow to use; report.json has all. */
const MAX_FILES = 5_000;
const MAX_ISSUES = 20_000;
/** For the head, the index, notices and the list of clean files. */
const REST_BYTES = 2_000_000;
/** With scripts, the files after these become part of the document when the page is open. */
const FIRST_FILES = 30;

export interface IndexedFile {
  readonly id: string;
  readonly path: string;
  readonly issues: number;
  readonly isUnjudged: boolean;
  readonly hasFailing: boolean;
}

/** What the page shows, within its limits. */
export interface PageModel {
  readonly sections: readonly Html[];
  readonly index: readonly IndexedFile[];
  readonly facets: readonly Facet[];
  readonly issueCount: number;
  readonly clean: readonly ReportedAsset[];
  readonly leftOut: { readonly issues: number; readonly files: number };
}

export function pageModel(report: Report, media: ReadonlyMap<string, EmbeddedMedia>): PageModel {
  const notable = report.assets.filter((asset) => !isClean(asset));
  const budget = new Budget(MAX_PAGE_BYTES - REST_BYTES);
  const files = takeFiles(pageFiles(notable.slice(0, MAX_FILES), report, media), report.run, budget);
  const { blocks, listed, leftOut } = takeIssues(worstFirst(report), files, budget);
  return {
    sections: files.map(({ file, frame }, index) =>
      fileSection(file, frame, { issues: blocks.get(file.asset) ?? [], isDeferred: index >= FIRST_FILES }),
    ),
    index: files.map(({ file: { asset, id } }) => indexedFile(asset, id, blocks.get(asset)?.length ?? 0)),
    facets: facetsOf(
      listed.map(({ issue }) => issue),
      files.flatMap(({ file }) => file.asset.fixed ?? []).length,
    ),
    issueCount: listed.length,
    clean: report.assets.filter(isClean),
    leftOut: { issues: leftOut, files: countFiles(notable.slice(files.length)) },
  };
}

function pageFiles(
  assets: readonly ReportedAsset[],
  { causes }: Report,
  media: ReadonlyMap<string, EmbeddedMedia>,
): readonly PageFile[] {
  const causesOf = Map.groupBy(causes, ({ path }) => path);
  return assets.map((asset, index) => ({
    asset,
    id: `file-${index + 1}`,
    media: media.get(asset.sha256),
    causes: asset.paths.flatMap((path) => causesOf.get(path) ?? []),
  }));
}

interface FramedFile {
  readonly file: PageFile;
  readonly frame: FileFrame;
}

function takeFiles(files: readonly PageFile[], run: Report['run'], budget: Budget): readonly FramedFile[] {
  const taken: FramedFile[] = [];
  for (const file of files) {
    const frame = fileFrame(file, run);
    if (!budget.take(frame.head.source + frame.before.source + frame.after.source)) break;
    taken.push({ file, frame });
  }
  return taken;
}

interface TakenIssues {
  readonly blocks: ReadonlyMap<ReportedAsset, readonly Html[]>;
  readonly listed: readonly ListedIssue[];
  readonly leftOut: number;
}

/** The worst issues that fit, each rendered. */
function takeIssues(all: readonly ListedIssue[], files: readonly FramedFile[], budget: Budget): TakenIssues {
  const fileOf = new Map(files.map(({ file }) => [file.asset, file]));
  const blocks = new Map<ReportedAsset, Html[]>();
  const listed: ListedIssue[] = [];
  const newId = idMaker();
  for (const entry of all.slice(0, MAX_ISSUES)) {
    const file = fileOf.get(entry.asset);
    if (!file) continue;
    const place = { id: newId(entry.issue), topics: entry.topics, playable: playableId(file) };
    const block = issueBlock(entry.issue, place);
    if (!budget.take(block.source)) break;
    const others = blocks.get(entry.asset);
    if (others) others.push(block);
    else blocks.set(entry.asset, [block]);
    listed.push(entry);
  }
  return { blocks, listed, leftOut: all.length - listed.length };
}

/** By reference number, so that a link to an issue holds in the report of the next run. */
function idMaker(): (issue: Pick<ReportedIssue, 'referenceNumber'>) => string {
  const used = new Map<string, number>();
  return ({ referenceNumber }) => {
    const name = `issue-${referenceNumber ?? 'unnumbered'}`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return times === 1 ? name : `${name}-${times}`;
  };
}

function indexedFile(asset: ReportedAsset, id: string, issues: number): IndexedFile {
  return {
    id,
    path: truncate(asset.paths[0] ?? '', 500),
    issues,
    isUnjudged: asset.outcome !== 'judged',
    hasFailing: asset.issues.some(({ failsGate }) => failsGate),
  };
}

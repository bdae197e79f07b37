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
import { type FileFrame, fileFrame, fileSection, type PageFile, playableId, shownFixed } from './file.ts';
import { type Html, html } from './html.ts';
import { issueBlock } from './issue.ts';
import { type EmbeddedMedia, MAX_PAGE_BYTES } from './media.ts';

/** More makes a page that is slow to use; report.json has all. */
const MAX_FILES = 5_000;
const MAX_ISSUES = 20_000;
/** For the head, the index, notices and the list of clean files. */
const REST_BYTES = 2_000_000;
/** A browser lays out a group at once, so it is small; and it looks at each group in every frame, so there are few. */
const MAX_GROUP_ISSUES = 18;
const MAX_GROUP_FILES = 10;
/** With scripts, the groups after these become part of the document when the page is open. */
const FIRST_GROUPS = 4;

export interface IndexedFile {
  readonly id: string;
  readonly path: string;
  readonly issues: number;
  readonly isUnjudged: boolean;
  readonly hasFailing: boolean;
}

/** What the page shows, within its limits. */
export interface PageModel {
  /** The files, in groups that are laid out together. */
  readonly groups: readonly Html[];
  readonly index: readonly IndexedFile[];
  readonly facets: readonly Facet[];
  readonly issueCount: number;
  /** Of these, how many are waived, known or closed. */
  readonly uncounted: number;
  readonly clean: readonly ReportedAsset[];
  readonly leftOut: { readonly issues: number; readonly files: number };
}

export function pageModel(report: Report, media: ReadonlyMap<string, EmbeddedMedia>): PageModel {
  const notable = report.assets.filter((asset) => !isClean(asset));
  const budget = new Budget(MAX_PAGE_BYTES - REST_BYTES);
  const files = takeFiles(pageFiles(notable.slice(0, MAX_FILES), report, media), report.run, budget);
  const { blocks, listed, leftOut } = takeIssues(report, files, budget);
  return {
    groups: groupsOf(files, blocks).map((sections, index) => fileGroup(sections, index >= FIRST_GROUPS)),
    index: files.map(({ file: { asset, id } }) => indexedFile(asset, id, blocks.get(asset)?.length ?? 0)),
    facets: facetsOf(
      listed,
      files.reduce((sum, { file }) => sum + shownFixed(file.asset).length, 0),
    ),
    issueCount: listed.length,
    uncounted: listed.filter(({ issue }) => issue.standing !== 'active').length,
    clean: report.assets.filter(isClean),
    leftOut: { issues: leftOut, files: countFiles(notable.slice(files.length)) },
  };
}

function groupsOf(
  files: readonly FramedFile[],
  blocks: ReadonlyMap<ReportedAsset, readonly Html[]>,
): readonly (readonly Html[])[] {
  const groups: Html[][] = [];
  let issuesInLast = MAX_GROUP_ISSUES;
  for (const { file, frame } of files) {
    const issues = blocks.get(file.asset) ?? [];
    const last = groups.at(-1);
    const section = fileSection(file, frame, issues);
    if (last && last.length < MAX_GROUP_FILES && issuesInLast + issues.length <= MAX_GROUP_ISSUES) {
      last.push(section);
      issuesInLast += issues.length;
    } else {
      groups.push([section]);
      issuesInLast = issues.length;
    }
  }
  return groups;
}

function fileGroup(sections: readonly Html[], isDeferred: boolean): Html {
  return html`<div class="group">${isDeferred ? html`<noscript>${sections}</noscript>` : sections}</div>
`;
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
  const newFixedId = idMaker('fixed');
  for (const file of files) {
    const frame = fileFrame(file, run, newFixedId);
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
function takeIssues(report: Report, files: readonly FramedFile[], budget: Budget): TakenIssues {
  const { policy } = report;
  const all = worstFirst(report);
  const fileOf = new Map(files.map(({ file }) => [file.asset, file]));
  const blocks = new Map<ReportedAsset, Html[]>();
  const listed: ListedIssue[] = [];
  const newId = idMaker('issue');
  for (const entry of all.slice(0, MAX_ISSUES)) {
    const file = fileOf.get(entry.asset);
    if (!file) continue;
    const block = issueBlock(entry, { id: newId(entry.issue), playable: playableId(file), policy });
    if (!budget.take(block.source)) break;
    const others = blocks.get(entry.asset);
    if (others) others.push(block);
    else blocks.set(entry.asset, [block]);
    listed.push(entry);
  }
  return { blocks, listed, leftOut: all.length - listed.length };
}

/** By reference number, so that a link to an issue holds in the report of the next run. */
function idMaker(kind: 'issue' | 'fixed'): (issue: Pick<ReportedIssue, 'referenceNumber'>) => string {
  const used = new Map<string, number>();
  return ({ referenceNumber }) => {
    const name = `${kind}-${referenceNumber ?? 'unnumbered'}`;
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

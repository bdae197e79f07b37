import { createHash } from 'node:crypto';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { GateError } from '../lib/cause.ts';
import { assertNoSymlink, claimFolder, writeTemporary } from '../lib/folders.ts';
import { withFile } from '../media/file.ts';
import { renderCleared, renderPredicate } from '../report/cleared.ts';
import { renderJson } from '../report/json.ts';
import { renderJunit } from '../report/junit.ts';
import { type EmbeddedMedia, mediaToEmbed } from '../report/page/media.ts';
import { renderPage } from '../report/page/page.ts';
import type { Report, ReportedContent } from '../report/report.ts';
import { renderSarif } from '../report/sarif.ts';
import { renderSummary } from '../report/summary.ts';
import { stepId } from '../state/gate-id.ts';

export const SARIF_NAME = 'report.sarif';
const PAGE_NAME = 'report.html';

/** All report files. Each is rendered when it is written, because all texts at once would take too much memory. */
const REPORT_FILES: Readonly<Record<string, (report: Report, media: EmbeddedMedia) => string>> = {
  [PAGE_NAME]: renderPage,
  'report.json': renderJson,
  [SARIF_NAME]: renderSarif,
  'junit.xml': renderJunit,
  'summary.md': renderSummary,
  'cleared.sha256': renderCleared,
  'predicate.json': renderPredicate,
};

interface ReportTarget {
  readonly folder: string;
  /** Temporary folders that are used if `folder` cannot be written. Empty if the workflow has chosen the folder. */
  readonly fallbacks: readonly string[];
  /** Undefined if the files are not uploaded. */
  readonly artifact: string | undefined;
}

/** Claims the folder of the report files. */
export function claimReportTarget(
  inputs: Pick<Inputs, 'name' | 'matrix' | 'reportDir' | 'reportArtifact'>,
  context: RunContext,
  hasArtifacts: boolean,
): ReportTarget {
  // Two gates in one job, and the legs of a matrix, must not overwrite each other's files and artifacts.
  const id = stepId({ ...context, ...inputs }).slice(0, 8);
  const [temp = '', ...others] = context.temps;
  const claimed = claimFolder(temp, `${inputs.name}-report-${id}`);
  const isUploaded = inputs.reportArtifact && hasArtifacts && !context.isGhes;
  const artifact = isUploaded ? path.basename(claimed) : undefined;
  if (inputs.reportDir === undefined) return { folder: claimed, fallbacks: others, artifact };
  const folder = path.resolve(context.workspace, inputs.reportDir);
  // The second gate of a job with the same `report-dir` writes to a folder beside it.
  const claim = `report-dir-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const suffix = path.basename(claimFolder(temp, claim)).slice(claim.length);
  return { folder: folder + suffix, fallbacks: [], artifact };
}

/** @returns the paths of the files, the page first */
export async function writeReports(
  report: Report,
  { folder, fallbacks }: Pick<ReportTarget, 'folder' | 'fallbacks'>,
  { searchRoot, workspace }: { readonly searchRoot: string; readonly workspace: string },
): Promise<readonly string[]> {
  const media = await readPageMedia(report.contents, searchRoot);
  const writeInto = async (target: string): Promise<void> => {
    for (const [name, render] of Object.entries(REPORT_FILES)) {
      const file = path.join(target, name);
      await assertNoSymlink(file, workspace, 'report-dir');
      await mkdir(target, { recursive: true });
      await writeFile(file, render(report, media));
    }
  };
  let written = folder;
  try {
    await writeInto(folder);
  } catch (error) {
    if (fallbacks.length === 0) throw error;
    // What is left of it cannot be removed either if its disk fails.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    const page = await writeTemporary(fallbacks, PAGE_NAME, async (file) => await writeInto(path.dirname(file)));
    written = path.dirname(page);
  }
  return Object.keys(REPORT_FILES).map((name) => path.join(written, name));
}

/**
 * Uploads the page as a separate artifact, so that the page opens with one click. The artifact of the other files does
 * not contain the page, because artifact storage is small.
 *
 * @returns the id of the page's artifact, if GitHub returned one
 */
export async function uploadReports(
  artifact: string,
  [page = '', ...files]: readonly string[],
  { retentionDays, temps }: Pick<Inputs, 'retentionDays'> & Pick<RunContext, 'temps'>,
): Promise<number | undefined> {
  await uploadArtifact({ name: artifact, files, retentionDays });
  const name = pageName(artifact);
  const copy = await writeTemporary(temps, name, async (file) => await copyFile(page, file));
  try {
    return await uploadArtifact({ name, files: [copy], retentionDays, isUnpacked: true });
  } finally {
    await rm(path.dirname(copy), { recursive: true, force: true });
  }
}

/** The name of the page and of its artifact: GitHub names an artifact of one unpacked file after the file. */
export function pageName(artifact: string): string {
  return `${artifact}.html`;
}

/**
 * Reads the media for report.html. A file that changed after the check is left out: it may now be a link to something
 * that must not be published.
 */
async function readPageMedia(contents: readonly ReportedContent[], searchRoot: string): Promise<EmbeddedMedia> {
  const media = new Map<string, string>();
  for (const { paths, size, sha256, mime } of mediaToEmbed(contents)) {
    const [file = ''] = paths;
    try {
      await withFile({ path: file, absolutePath: path.join(searchRoot, file) }, async (handle) => {
        const { buffer } = await handle.read({ buffer: Buffer.alloc(size) });
        const isSame = createHash('sha256').update(buffer).digest('hex') === sha256;
        if (isSame) media.set(sha256, `data:${mime};base64,${buffer.toString('base64')}`);
      });
    } catch (error) {
      // The path was deleted or is no longer a regular file: the page shows a link instead of a preview.
      if (!(error instanceof GateError)) throw error;
    }
  }
  return media;
}

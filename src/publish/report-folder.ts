import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uploadArtifact, uploadPage } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import { claimFolder } from '../github/step-folder.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { assertNoSymlink } from '../lib/no-symlink.ts';
import { HTML_NAME, reportFiles } from '../report/files.ts';
import type { Report } from '../report/report.ts';
import { stepId } from '../state/gate-id.ts';
import { readPageMedia } from './page-media.ts';

/** Where the report files are. */
export interface ReportPlace {
  readonly folder: string;
  /** The name of their artifact; undefined where they are not uploaded. */
  readonly artifact: string | undefined;
  /** Completes "full report:". */
  readonly description: string;
}

export function reportPlace(
  report: Report,
  inputs: Pick<Inputs, 'matrix' | 'reportDir' | 'reportArtifact'>,
  context: RunContext,
  hasArtifacts: boolean,
): ReportPlace {
  // Two gates in one job, and the legs of a matrix, must not overwrite each other's files and artifacts.
  const id = stepId({ ...context, name: report.gate, matrix: inputs.matrix }).slice(0, 8);
  const claimed = claimFolder(context.temp, tmpdir(), `${report.gate}-report-${id}`);
  const name = path.basename(claimed);
  const folder = inputs.reportDir === undefined ? claimed : path.resolve(context.workspace, inputs.reportDir);
  const isUploaded = inputs.reportArtifact && hasArtifacts && !context.isGhes;
  return {
    folder,
    artifact: isUploaded ? name : undefined,
    description: isUploaded ? `artifact ${name} of this run` : folder,
  };
}

export interface ReportFolders {
  readonly folder: string;
  /** The folder of the media. */
  readonly root: string;
  readonly workspace: string;
}

/** @returns the files */
export async function writeReports(
  report: Report,
  { folder, root, workspace }: ReportFolders,
): Promise<readonly string[]> {
  const media = await readPageMedia(report.assets, root);
  const files: string[] = [];
  for (const { name, pieces } of reportFiles(report, media)) {
    const file = path.join(folder, name);
    await assertNoSymlink({ path: file, root: workspace, input: 'report-dir' });
    await mkdir(folder, { recursive: true });
    await writeFile(file, pieces());
    files.push(file);
  }
  return files;
}

/** Artifact storage is small, and a report is read soon or never. */
const REPORT_RETENTION_DAYS = 30;

/** All files in one artifact, and the page once more by itself, so that it opens with one click. */
export async function uploadReports(
  { artifact, folder }: ReportPlace,
  files: readonly string[],
  retentionDays: number = REPORT_RETENTION_DAYS,
): Promise<void> {
  if (artifact === undefined) return;
  await uploadArtifact({ name: artifact, files, retentionDays });
  const page = path.join(await mkdtemp(path.join(tmpdir(), 'gate-page-')), `${artifact}.html`);
  await copyFile(path.join(folder, HTML_NAME), page);
  await uploadPage(page, retentionDays);
}

import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GateError } from '../causes/cause.ts';
import { uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/parse.ts';
import { withFile } from '../media/file.ts';
import { renderCleared, renderPredicate } from '../report/cleared.ts';
import { mediaToEmbed, renderPage } from '../report/page/page.ts';
import { type Report, type ReportedContent, renderJson } from '../report/report.ts';
import { renderSarif } from '../report/sarif.ts';
import { gateId } from '../state/gate-id.ts';

export const SARIF_NAME = 'report.sarif';
const PAGE_NAME = 'report.html';

/** All report files. Each is rendered when it is written, because all texts at once would take too much memory. */
const REPORT_FILES: Readonly<
  Record<string, (report: Report, media: Awaited<ReturnType<typeof readPageMedia>>) => string>
> = {
  [PAGE_NAME]: renderPage,
  'report.json': renderJson,
  [SARIF_NAME]: renderSarif,
  'cleared.sha256': renderCleared,
  'predicate.json': renderPredicate,
};

/** The gates and attempts of one run must not take each other's names. */
export function artifactNameOf(inputs: Pick<Inputs, 'name' | 'matrix'>, context: RunContext): string {
  return `${inputs.name}-report-${gateId({ ...context, ...inputs }).slice(0, 8)}-${context.runAttempt}`;
}

/** @returns the folder with the files */
export async function writeReports(report: Report, context: Pick<RunContext, 'searchRoot' | 'temp'>): Promise<string> {
  const media = await readPageMedia(report.contents, context.searchRoot);
  const folder = await mkdtemp(path.join(context.temp, 'gate-'));
  for (const [name, render] of Object.entries(REPORT_FILES))
    await writeFile(path.join(folder, name), render(report, media));
  return folder;
}

const RETENTION_DAYS = 30;

/**
 * Uploads the page as a separate artifact, which is expected to open with one click. The artifact of the other files does
 * not contain the page, because artifact storage is small.
 *
 * @returns the id of the page's artifact, if GitHub returned one
 */
export async function uploadReports(
  artifact: string,
  folder: string,
  context: Pick<RunContext, 'temp'>,
): Promise<number | undefined> {
  const others = Object.keys(REPORT_FILES).filter((file) => file !== PAGE_NAME);
  await uploadArtifact({
    name: artifact,
    files: others.map((file) => path.join(folder, file)),
    retentionDays: RETENTION_DAYS,
  });
  // GitHub names an artifact of one unpacked file after the file.
  const name = `${artifact}.html`;
  const copy = path.join(await mkdtemp(path.join(context.temp, 'gate-')), name);
  await copyFile(path.join(folder, PAGE_NAME), copy);
  return await uploadArtifact({ name, files: [copy], retentionDays: RETENTION_DAYS, isUnpacked: true });
}

/**
 * Reads the media for report.html. A file that changed after the check is left out: it may now be a link to something
 * that must not be published.
 */
async function readPageMedia(contents: readonly ReportedContent[], searchRoot: string) {
  const media = new Map<string, string>();
  for (const { paths, size, sha256, mime } of mediaToEmbed(contents)) {
    const [file] = paths;
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

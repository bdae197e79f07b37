import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { beginAnalysis } from './analysis.ts';
import type { Submission } from './model.ts';
import type { Workspace } from './workspace.ts';

/** Keeps the submissions of a workspace for the next emulator. Uploads are not kept: each creation needs its own. */
export async function saveWorkspace(workspace: Workspace, file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(workspace.submissions, undefined, 2)}\n`);
}

/** Puts back what `saveWorkspace` wrote, if there is such a file. An analysis that had not ended begins again. */
export async function restoreWorkspace(workspace: Workspace, file: string): Promise<void> {
  if (!existsSync(file)) return;
  const submissions: readonly Submission[] = JSON.parse(await readFile(file, 'utf8'));
  workspace.restore(submissions);
  for (const submission of submissions) {
    for (const asset of submission.assets) {
      if (asset.pending !== undefined) beginAnalysis(workspace, submission, asset, 0);
    }
  }
}

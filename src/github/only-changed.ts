import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import type { Discovery } from '../media/discover.ts';
import type { FilePatterns } from '../media/patterns.ts';
import { matchChanged } from './changed-files.ts';

/**
 * Applies the input `only-changed`: keeps only the files that the pull request adds or changes. If the changed paths
 * are unknown, all files are kept, and a notice says why.
 *
 * @param changed the paths that the pull request adds or changes, or a text that says why they are unknown
 * @param patterns the input `files`: a changed file that the patterns select must be in the workspace
 */
export async function onlyChanged(
  discovery: Discovery,
  changed: readonly string[] | string,
  { patterns, searchRoot }: { readonly patterns: FilePatterns; readonly searchRoot: string },
): Promise<Discovery> {
  const keepAll = (why: string): Discovery => {
    const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
    return { ...discovery, notices: [...discovery.notices, notice] };
  };
  if (typeof changed === 'string') return keepAll(changed);
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const missing: string[] = [];
  const moved: string[] = [];
  for (const file of changed.filter((each) => !found.has(each.normalize('NFC')))) {
    const stats = await lstat(path.join(searchRoot, file)).catch(() => undefined);
    if ((!stats || stats.isFile()) && patterns.selects(file)) missing.push(file);
    // GitHub lists a changed submodule by the path of its folder, which seldom ends in an extension.
    else if ((!stats || stats.isDirectory()) && patterns.couldSelect(file)) moved.push(file);
  }
  if (missing.length > 0) throw new GateError(missing.map(missingProblem));
  // If the base branch moved a file, Git merges the change into the moved file, but GitHub lists only the old path.
  if (moved.length > 0)
    return keepAll(`The pull request changes ${moved[0]}, and the base branch may have moved that file.`);
  return { ...discovery, files: discovery.files.filter(await matchChanged(changed, searchRoot)) };
}

function missingProblem(file: string): Cause {
  const message = 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.';
  const fix = 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.';
  return { reason: 'checkout', path: file, message, steps: [workflowOwner(fix)] };
}

/** Reports that the pull request changes none of the files that match the patterns. */
export function noneChanged(matched: number): Cause {
  const message = `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`;
  const fix =
    'There is nothing to do. To check all files in every pull request, remove `only-changed: true`. Unchanged files are not sent again.';
  return { reason: 'no-files', message, steps: [workflowOwner(fix)] };
}

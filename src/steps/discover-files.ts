import type { Inputs } from '../inputs/inputs.ts';
import { GateError } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import { assertHeadCheckedOut } from '../media/checkout.ts';
import { discover } from '../media/discover.ts';
import { noneChanged, onlyChanged } from '../media/only-changed.ts';
import { NO_FILES_MATCH, skip } from '../verdict/ending-causes.ts';
import type { Discovered, Skipped } from '../verdict/outcome.ts';
import type { Environment } from './environment.ts';

/** inputs → discover: the files to check, and why there are none. */
export async function discoverFiles(
  inputs: Inputs,
  { context, github, runner, signal }: Environment,
): Promise<{ readonly progress: Discovered; readonly nothingToCheck: Skipped | undefined }> {
  const place = { ...context, workspace: inputs.root };
  const matched = await discover(inputs.files, inputs.root, { isDefault: inputs.filesAreDefault, signal });
  await assertHeadCheckedOut(matched, place, github);
  const discovery = inputs.onlyChanged ? await onlyChanged(matched, inputs.files, { place, api: github }) : matched;
  runner.log.info(`${plural(discovery.files.length, 'file')} to check`);
  const progress: Discovered = { stage: 'discovered', notices: discovery.notices, discovery };
  if (discovery.files.length > 0) return { progress, nothingToCheck: undefined };
  if (matched.files.length > 0) return { progress, nothingToCheck: skip(noneChanged(matched.files.length), true) };
  if (inputs.ifNoFilesFound === 'error') throw new GateError(NO_FILES_MATCH);
  return { progress, nothingToCheck: skip(NO_FILES_MATCH, inputs.ifNoFilesFound === 'ignore') };
}

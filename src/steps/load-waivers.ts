import type { Discovered, WaiversLoaded } from '../verdict/progress.ts';
import { loadWaivers as findWaivers } from '../waivers/load.ts';
import { Waivers } from '../waivers/waivers.ts';
import type { Environment } from './environment.ts';

/**
 * discover → waivers. Before the files are hashed, because a waivers file that cannot be read is a bad input. After
 * `discover`, because a run without files to check needs no waivers.
 */
export async function loadWaivers(
  discovered: Discovered,
  { inputs, context, github }: Environment,
): Promise<WaiversLoaded> {
  const { waiversFile: file, searchRoot } = inputs;
  if (file === undefined) return { ...discovered, stage: 'waivers-loaded', waivers: undefined };
  const found = await findWaivers({ file, searchRoot, baseCommit: context.baseCommit }, github);
  const notices = [...discovered.notices, ...found.notices];
  return { ...discovered, stage: 'waivers-loaded', notices, waivers: new Waivers(found.waivers, new Date()) };
}

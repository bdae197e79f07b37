import path from 'node:path';
import { freshBuild } from '../../scripts/build.ts';

let file: Promise<string> | undefined;

/** The build that tests start: GATE_BUNDLE, or else the sources as they are now, built when it is first asked for. */
export async function bundleFile(): Promise<string> {
  file ??= find();
  return await file;
}

async function find(): Promise<string> {
  return process.env['GATE_BUNDLE'] ?? path.join(await freshBuild(), 'index.js');
}

import path from 'node:path';
import { freshBuild } from '../../scripts/build.ts';

/** Vitest calls this before all tests: they start a build of the sources as they are now, whatever is in dist/. */
export default async function provideBundle(): Promise<void> {
  process.env['GATE_BUNDLE'] ??= path.join(await freshBuild(), 'index.js');
}

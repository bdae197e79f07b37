/** Starts the artifact service in a separate process, since it keeps its data in globals, and reports its address. */
import { installed } from './installed.ts';

interface Dtu {
  startEphemeralDtu(cacheDir: string): Promise<{ readonly url: string }>;
}

const dtu = await installed<Dtu>('dtu-github-actions/ephemeral');
const { url } = await dtu.startEphemeralDtu(process.env['DTU_CACHE_DIR'] ?? '');
process.send?.(url);

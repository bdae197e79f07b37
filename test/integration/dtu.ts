/** Starts the artifact service in a process of its own, since it keeps everything in one place for a process, and tells where it is. */
import { installed } from './installed.ts';

interface Dtu {
  startEphemeralDtu(cacheDir: string): Promise<{ readonly url: string }>;
}

const dtu = await installed<Dtu>('dtu-github-actions/ephemeral');
const { url } = await dtu.startEphemeralDtu(process.env['DTU_CACHE_DIR'] ?? '');
process.send?.(url);

/** Starts the artifact service in a separate process, since it keeps its data in globals, and reports its address. */
interface Dtu {
  startEphemeralDtu(cacheDir: string): Promise<{ readonly url: string }>;
}

// A `string` instead of a literal keeps TypeScript from resolving the package, which may not be installed.
const PACKAGE: string = 'dtu-github-actions/ephemeral';
const dtu: Dtu = await import(PACKAGE);
const { url } = await dtu.startEphemeralDtu(process.env['DTU_CACHE_DIR'] ?? '');
process.send?.(url);

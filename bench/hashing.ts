/** Hashing beside `sha256sum`, on the same files, which the system has in memory. */
import path from 'node:path';
import { inspect } from '../src/media/inspect.ts';
import { alternate, makeFolder, makeVideo, type Row, timed } from './stage.ts';

const FILES = 8;
const BYTES = 128_000_000;

/** The whole inspection, of which hashing is nearly all. */
export async function hashing(rounds: number): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  const names = Array.from({ length: FILES }, (_, index) => `video-${index}.mp4`);
  const files = names.map((name) => ({ path: name, absolutePath: path.join(folder.path, name) }));
  for (const { absolutePath } of files) await makeVideo(absolutePath, BYTES);
  const paths = files.map(({ absolutePath }) => absolutePath);
  const [own = Number.NaN, ...others] = await alternate(
    rounds,
    async () => {
      const begun = performance.now();
      const inspected = await inspect({ files, notices: [] });
      if (inspected.files.length !== FILES) throw new Error('Not every file was inspected.');
      return (performance.now() - begun) / 1000;
    },
    () => timed('sha256sum', paths),
    // Some systems build `sha256sum` without the processor's own instructions; this one always has them.
    () => timed('openssl', ['dgst', '-sha256', ...paths]),
  );
  const rate = (each: number): string => `${Math.round((FILES * BYTES) / 1e6 / each)} MB/s`;
  return others.map((theirs, index) => ({
    what: `hashing ${FILES} files of ${BYTES / 1e6} MB`,
    ours: rate(own),
    beside: index === 0 ? '`sha256sum`' : '`openssl dgst`',
    theirs: rate(theirs),
    ratio: `${(theirs / own).toFixed(2)} × its rate`,
    goal: '≥ 0.9 ×',
    isMet: theirs / own >= 0.9,
  }));
}

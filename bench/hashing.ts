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
  const seconds = await alternate(rounds, {
    ours: async () => {
      const begun = performance.now();
      const { files: inspected } = await inspect({ files, notices: [] });
      if (inspected.length !== FILES) throw new Error('Not every file was inspected.');
      return (performance.now() - begun) / 1000;
    },
    sha256sum: async () =>
      await timed(
        'sha256sum',
        files.map(({ absolutePath }) => absolutePath),
      ),
  });
  const ratio = seconds.sha256sum / seconds.ours;
  const rate = (each: number): string => `${Math.round((FILES * BYTES) / 1e6 / each)} MB/s`;
  return [
    {
      what: `hashing ${FILES} files of ${BYTES / 1e6} MB`,
      ours: rate(seconds.ours),
      beside: '`sha256sum`',
      theirs: rate(seconds.sha256sum),
      ratio: `${ratio.toFixed(2)} × its rate`,
      goal: '≥ 0.9 ×',
      isMet: ratio >= 0.9,
    },
  ];
}

/** Uploads beside curl, by the sink's clock: from the first byte of the first file to the answer to the last. */
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIRECT_UPLOAD_CAP } from '../src/service/upload.ts';
import {
  alternate,
  type Folder,
  makeFolder,
  makeImages,
  makeVideo,
  measureGate,
  median,
  type Row,
  type Sink,
  startSink,
  timed,
} from './stage.ts';

const AZURE = fileURLToPath(new URL('../test/integration/node_modules/@azure/storage-blob', import.meta.url));
const LANES = 8;
const IN_PARALLEL = ['--parallel', '--parallel-max', String(LANES)];
const MB = 1_000_000;

/** One 2 GiB file. */
export async function oneLargeFile(rounds: number): Promise<readonly Row[]> {
  const size = 2 * 1024 ** 3;
  await using folder = await makeFolder();
  await using sink = await startSink();
  await makeVideo(path.join(folder.path, 'big.mp4'), size);
  const peaks: number[] = [];
  const steps: number[] = [];
  const measured = async (): Promise<number> => {
    const run = await measureGate(folder.path, sink.url);
    peaks.push(run.peakMB);
    steps.push(run.seconds);
    return await uploadSeconds(sink);
  };
  const [own = Number.NaN, other = Number.NaN] = await alternate(rounds, measured, () => curl(sink, folder, []));
  const ratio = other / own;
  const peak = Math.max(...peaks);
  const rate = (each: number): string => `${Math.round(size / MB / each)} MB/s`;
  return [
    {
      what: 'one file of 2 GiB',
      ours: `${rate(own)} (whole step ${median(steps).toFixed(1)} s)`,
      beside: '`curl -T`',
      theirs: rate(other),
      ratio: `${ratio.toFixed(2)} × its rate`,
      goal: '≥ 0.75 ×',
      isMet: ratio >= 0.75,
    },
    {
      what: 'its memory at the peak',
      ours: `${peak.toFixed(0)} MB`,
      beside: '',
      theirs: '',
      ratio: '',
      goal: '≤ 120 MB',
      isMet: peak <= 120,
    },
  ];
}

/** Many small files, a service that answers after 40 ms. */
export async function manySmallFiles(rounds: number): Promise<readonly Row[]> {
  const count = 500;
  await using folder = await makeFolder();
  await using sink = await startSink(40);
  await makeImages(folder.path, count, 200_000);
  const [own = Number.NaN, parallel = Number.NaN] = await alternate(
    rounds,
    () => ours(sink, folder),
    () => curl(sink, folder, IN_PARALLEL),
  );
  // Once is enough: it is 40 ms for each.
  const single = await curl(sink, folder, []);
  const what = `${count} files of 200 kB, answers after 40 ms`;
  const common = { what, ours: `${own.toFixed(2)} s` };
  const [ratio, gain] = [parallel / own, single / own];
  return [
    {
      ...common,
      beside: `\`curl --parallel\`, ${LANES} at a time`,
      theirs: `${parallel.toFixed(2)} s`,
      ratio: `${ratio.toFixed(2)} × as fast`,
      goal: '≥ 0.9 ×',
      isMet: ratio >= 0.9,
    },
    {
      ...common,
      beside: '`curl`, one after another',
      theirs: `${single.toFixed(2)} s`,
      ratio: `${gain.toFixed(1)} × as fast`,
      goal: '≥ 6 ×',
      isMet: gain >= 6,
    },
  ];
}

/** A mixed set. */
export async function mixedFiles(rounds: number): Promise<readonly Row[]> {
  await using folder = await makeFolder();
  await using sink = await startSink(10);
  await makeVideo(path.join(folder.path, 'largest.mp4'), 1000 * MB);
  for (let index = 0; index < 20; index += 1) await makeVideo(path.join(folder.path, `middle-${index}.mp4`), 50 * MB);
  await makeImages(folder.path, 400, 500_000);
  const hasAzure = existsSync(AZURE);
  const [own = Number.NaN, ...others] = await alternate(
    rounds,
    () => ours(sink, folder),
    () => curl(sink, folder, IN_PARALLEL),
    ...(hasAzure ? [() => azure(sink, folder)] : []),
  );
  return others.map((theirs, index) => {
    const ratio = theirs / own;
    return {
      what: '1 × 1 GB, 20 × 50 MB, 400 × 500 kB, answers after 10 ms',
      ours: `${own.toFixed(2)} s`,
      beside:
        index === 0 ? `\`curl --parallel\`, ${LANES} at a time` : '`@azure/storage-blob` and curl at the same time',
      theirs: `${theirs.toFixed(2)} s`,
      ratio: `${ratio.toFixed(2)} × as fast`,
      goal: '≥ 1 ×',
      isMet: ratio >= 1,
    };
  });
}

/** How long the uploads took, by the sink's clock. */
export async function uploadSeconds(sink: Sink): Promise<number> {
  const { first, last } = await sink.seen();
  return (last - first) / 1000;
}

async function ours(sink: Sink, folder: Folder): Promise<number> {
  await measureGate(folder.path, sink.url);
  return await uploadSeconds(sink);
}

interface Listed {
  readonly file: string;
  readonly isLarge: boolean;
}

async function filesIn(folder: Folder): Promise<readonly Listed[]> {
  const names = (await readdir(folder.path)).filter((name) => /\.(mp4|png)$/.test(name)).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder.path, name);
      return { file, isLarge: (await stat(file)).size > DIRECT_UPLOAD_CAP };
    }),
  );
}

/** The same requests, except those for upload addresses, which a user's script would have to make as well. */
async function curl(sink: Sink, folder: Folder, options: readonly string[]): Promise<number> {
  await curlFiles(sink, await filesIn(folder), options);
  return await uploadSeconds(sink);
}

async function curlFiles(sink: Sink, files: readonly Listed[], options: readonly string[]): Promise<void> {
  const transfers = files.map(({ file, isLarge }) => [
    ...(isLarge
      ? [`url = "${sink.url}/storage/x"`, `upload-file = "${file}"`, 'header = "x-ms-blob-type: BlockBlob"']
      : [`url = "${sink.url}/api/integrations/uploads/direct"`, `form = "file=@${file};type=image/png"`]),
    'header = "Expect:"',
    'output = "/dev/null"',
    'silent',
  ]);
  await using notes = await makeFolder();
  const config = path.join(notes.path, 'curl.conf');
  await writeFile(config, transfers.map((lines) => lines.join('\n')).join('\nnext\n'));
  await timed('curl', [...options, '--config', config]);
}

/** The usual library for large blobs, and curl for the rest, at the same time. */
async function azure(sink: Sink, folder: Folder): Promise<number> {
  const files = await filesIn(folder);
  const [large, small] = [files.filter(({ isLarge }) => isLarge), files.filter(({ isLarge }) => !isLarge)];
  const script = fileURLToPath(new URL('./azure-upload.ts', import.meta.url));
  await Promise.all([
    curlFiles(sink, small, IN_PARALLEL),
    timed(process.execPath, [script, sink.url, ...large.map(({ file }) => file)]),
  ]);
  return await uploadSeconds(sink);
}

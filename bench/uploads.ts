/** Uploads beside curl, by the server's clock: from the first byte of the first file to the answer to the last. */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

/** The default of `upload-concurrency`. */
const LANES = 8;
const MB = 1_000_000;
const MAX_PEAK_MB = 120;
const MIN_RATE_LARGE = 0.75;
const MIN_RATE_SMALL = 0.9;

/** One file of 2 GiB. */
export async function oneLargeFile(rounds: number): Promise<readonly Row[]> {
  const size = 2 * 1024 ** 3;
  await using folder = await makeFolder();
  await using sink = await startSink();
  await makeVideo(path.join(folder.path, 'big.mp4'), size);
  const peaks: number[] = [];
  const steps: number[] = [];
  const gate = async (): Promise<number> => {
    const run = await measureGate(folder.path, sink.url);
    peaks.push(run.peakMB);
    steps.push(run.seconds);
    return await uploadSeconds(sink);
  };
  const put = (file: string): readonly string[] => [
    `url = "${sink.url}/storage/x"`,
    `upload-file = "${file}"`,
    'header = "x-ms-blob-type: BlockBlob"',
  ];
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(rounds, gate, () => curl(sink, folder, put));
  const ratio = theirs / ours;
  const peak = Math.max(...peaks);
  const rate = (seconds: number): string => `${Math.round(size / MB / seconds)} MB/s`;
  return [
    {
      what: 'upload of one file of 2 GiB',
      ours: `${rate(ours)} (whole step ${median(steps).toFixed(1)} s)`,
      beside: '`curl -T`',
      theirs: rate(theirs),
      ratio: `${ratio.toFixed(2)} × its rate`,
      goal: `≥ ${MIN_RATE_LARGE} ×`,
      isMet: ratio >= MIN_RATE_LARGE,
    },
    {
      what: 'memory at the peak, one file of 2 GiB',
      ours: `${peak.toFixed(0)} MB`,
      beside: '',
      theirs: '',
      ratio: '',
      goal: `≤ ${MAX_PEAK_MB} MB`,
      isMet: peak <= MAX_PEAK_MB,
    },
  ];
}

/** Many small files, and a service that answers after 40 ms. */
export async function manySmallFiles(rounds: number): Promise<readonly Row[]> {
  const count = 500;
  await using folder = await makeFolder();
  await using sink = await startSink(40);
  await makeImages(folder.path, count, 200_000);
  const gate = async (): Promise<number> => {
    await measureGate(folder.path, sink.url);
    return await uploadSeconds(sink);
  };
  const post = (file: string): readonly string[] => [
    `url = "${sink.url}/api/integrations/uploads/direct"`,
    `form = "file=@${file};type=image/png"`,
  ];
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(rounds, gate, () => curl(sink, folder, post));
  const ratio = theirs / ours;
  return [
    {
      what: `upload of ${count} files of 200 kB, answers after 40 ms`,
      ours: `${ours.toFixed(2)} s`,
      beside: `\`curl --parallel\`, ${LANES} at a time`,
      theirs: `${theirs.toFixed(2)} s`,
      ratio: `${ratio.toFixed(2)} × its rate`,
      goal: `≥ ${MIN_RATE_SMALL} ×`,
      isMet: ratio >= MIN_RATE_SMALL,
    },
  ];
}

async function uploadSeconds(sink: Sink): Promise<number> {
  const { first, last } = await sink.seen();
  return (last - first) / 1000;
}

/** Sends the same files. @param requestOf the lines of curl's configuration for one file */
async function curl(sink: Sink, folder: Folder, requestOf: (file: string) => readonly string[]): Promise<number> {
  const names = (await readdir(folder.path)).filter((name) => /\.(mp4|png)$/.test(name)).toSorted();
  const common = ['header = "Expect:"', 'output = "/dev/null"', 'silent'];
  const requests = names.map((name) => [...requestOf(path.join(folder.path, name)), ...common].join('\n'));
  await using notes = await makeFolder();
  const config = path.join(notes.path, 'curl.conf');
  await writeFile(config, requests.join('\nnext\n'));
  await timed('curl', ['--parallel', '--parallel-max', String(LANES), '--config', config]);
  return await uploadSeconds(sink);
}

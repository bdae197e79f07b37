/** Uploads beside curl, by the server's clock: from the first byte of the first file to the response to the last. */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeWorkspace, type TestWorkspace } from '../test/harness/workspace.ts';
import { alternate, type Comparison, makeImages, makeVideo, runGate, type Sink, startSink, timed } from './stage.ts';

/** How many uploads the action sends at the same time. */
const LANES = 8;

export async function uploads(rounds: number): Promise<readonly Comparison[]> {
  return [await oneLargeFile(rounds), await manySmallFiles(rounds)];
}

async function oneLargeFile(rounds: number): Promise<Comparison> {
  await using folder = await makeWorkspace({});
  await using sink = await startSink();
  await makeVideo(path.join(folder.path, 'big.mp4'), 2 * 1024 ** 3);
  const put = (file: string): readonly string[] => [
    `url = "${sink.url}/storage/x"`,
    `upload-file = "${file}"`,
    'header = "x-ms-blob-type: BlockBlob"',
  ];
  const times = await besideCurl(rounds, sink, folder, put);
  return { what: 'upload of one file of 2 GiB', ...times, beside: '`curl -T`', maxTimes: 1.33 };
}

/** With a service that responds after 40 ms. */
async function manySmallFiles(rounds: number): Promise<Comparison> {
  await using folder = await makeWorkspace({});
  await using sink = await startSink(40);
  await makeImages(folder.path, 500, 200_000);
  const post = (file: string): readonly string[] => [
    `url = "${sink.url}/api/integrations/uploads/direct"`,
    `form = "file=@${file};type=image/png"`,
  ];
  const times = await besideCurl(rounds, sink, folder, post);
  const beside = `\`curl --parallel\`, ${LANES} at a time`;
  return { what: 'upload of 500 files of 200 kB, responses after 40 ms', ...times, beside, maxTimes: 1.11 };
}

/** @param requestOf the lines of curl's configuration for one file */
async function besideCurl(
  rounds: number,
  sink: Sink,
  folder: TestWorkspace,
  requestOf: (file: string) => readonly string[],
): Promise<{ readonly ours: number; readonly theirs: number }> {
  const gate = async (): Promise<number> => {
    await runGate(folder.path, sink.url);
    return await uploadTime(sink);
  };
  const [ours = Number.NaN, theirs = Number.NaN] = await alternate(rounds, gate, () => curl(sink, folder, requestOf));
  return { ours, theirs };
}

async function uploadTime(sink: Sink): Promise<number> {
  const { first, last } = await sink.seen();
  return last - first;
}

/** Sends the same files. */
async function curl(
  sink: Sink,
  folder: TestWorkspace,
  requestOf: (file: string) => readonly string[],
): Promise<number> {
  const names = (await readdir(folder.path)).filter((name) => /\.(mp4|png)$/.test(name)).toSorted();
  const common = ['header = "Expect:"', 'output = "/dev/null"', 'silent'];
  const requests = names.map((name) => [...requestOf(path.join(folder.path, name)), ...common].join('\n'));
  await using notes = await makeWorkspace({});
  const config = path.join(notes.path, 'curl.conf');
  await writeFile(config, requests.join('\nnext\n'));
  await timed('curl', ['--parallel', '--parallel-max', String(LANES), '--config', config]);
  return await uploadTime(sink);
}

/** A second run over unchanged files, beside the first. */
import path from 'node:path';
import { type MeasuredRun, makeFolder, makeImages, measureGate, median, type Row, startSink } from './stage.ts';

const FILES = 1_000;

export async function secondRun(rounds: number): Promise<readonly Row[]> {
  await using sink = await startSink();
  const firsts: number[] = [];
  const seconds: number[] = [];
  let sent = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using folder = await makeFolder();
    await using place = await makeFolder();
    await makeImages(folder.path, FILES, 100_000);
    const inputs = { 'state-file': path.join(place.path, 'state.json') };
    const run = async (): Promise<MeasuredRun> => await measureGate(folder.path, sink.url, { inputs });
    firsts.push((await run()).seconds);
    await sink.seen();
    const second = await run();
    seconds.push(second.seconds);
    sent += Number(second.outputs['files-submitted']) + (await sink.seen()).bytes;
  }
  const [first, second] = [median(firsts), median(seconds)];
  return [
    {
      what: `second run, ${FILES.toLocaleString('en')} unchanged files`,
      ours: `${second.toFixed(2)} s, ${sent === 0 ? 'nothing sent' : 'something sent'}`,
      beside: 'the first run',
      theirs: `${first.toFixed(2)} s`,
      ratio: `${(second / first).toFixed(2)} × its time`,
      goal: '≤ 1.5 s, nothing sent',
      isMet: second <= 1.5 && sent === 0,
    },
  ];
}

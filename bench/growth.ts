/** The whole step, from 100 to 10,000 files: time and memory. */
import { makeFolder, makeImages, measureGate, startSink } from './stage.ts';

export interface Growth {
  readonly files: number;
  readonly seconds: number;
  readonly peakMB: number;
}

const COUNTS = [100, 300, 1_000, 3_000, 10_000];

export async function growth(): Promise<readonly Growth[]> {
  await using sink = await startSink();
  const points: Growth[] = [];
  for (const files of COUNTS) {
    await using folder = await makeFolder();
    await makeImages(folder.path, files, 20_000);
    const { seconds, peakMB } = await measureGate(folder.path, sink.url);
    points.push({ files, seconds, peakMB });
  }
  return points;
}

/** The whole step, from 100 to 10,000 files: time and memory. */
import { makeFolder, makeImages, measureGate, type Row, startSink } from './stage.ts';

export interface Growth {
  readonly files: number;
  readonly seconds: number;
  readonly peakMB: number;
}

const COUNTS = [100, 300, 1_000, 3_000, 10_000];

/** A tenth more than in step is still in step: caches are colder. */
const MAX_GROWTH = 1.1;

/** What ten times as many files cost, beside ten times as much. */
export function growthRows(points: readonly Growth[]): readonly Row[] {
  const at = (files: number): Growth | undefined => points.find((point) => point.files === files);
  const [few, many] = [at(1_000), at(10_000)];
  if (!few || !many) return [];
  const row = (what: string, unit: string, valueOf: (point: Growth) => number): Row => {
    const [less, more] = [valueOf(few), valueOf(many)];
    const ratio = more / (10 * less);
    return {
      what,
      ours: `${more.toFixed(1)} ${unit}`,
      beside: 'ten times what 1,000 files take',
      theirs: `${(10 * less).toFixed(1)} ${unit}`,
      ratio: `${ratio.toFixed(2)} ×`,
      goal: `≤ ${MAX_GROWTH} ×`,
      isMet: ratio <= MAX_GROWTH,
    };
  };
  return [
    row('the whole step with 10,000 files of 20 kB', 's', ({ seconds }) => seconds),
    row('its memory at the peak', 'MB', ({ peakMB }) => peakMB),
  ];
}

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

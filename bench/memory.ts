/** Peak memory of the whole step, with five issues for each file. */
import { startEmulator } from '../emulator/emulator.ts';
import { makeFolder, makeImages, measureGate, type Row } from './stage.ts';

const ISSUES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO', 'INFO'].map((severity) => ({ severity }));
const GOALS = [
  { files: 1_000, maxMB: 300 },
  { files: 10_000, maxMB: 600 },
];

/** One round: the kernel's high-water mark changes little from run to run. */
export async function memory(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { files, maxMB } of GOALS) {
    const { peakMB, seconds } = await measure(files);
    rows.push({
      what: `memory at the peak, ${files.toLocaleString('en')} files with 5 issues each`,
      ours: `${peakMB.toFixed(0)} MB (whole step ${seconds.toFixed(1)} s)`,
      beside: '',
      theirs: '',
      ratio: '',
      goal: `≤ ${maxMB} MB`,
      isMet: peakMB <= maxMB,
    });
  }
  return rows;
}

async function measure(files: number): Promise<{ readonly peakMB: number; readonly seconds: number }> {
  await using folder = await makeFolder();
  await makeImages(folder.path, files, 1_000);
  const emulator = await startEmulator();
  try {
    const service = emulator.workspace({ scenario: { default: { issues: ISSUES } } });
    const inputs = { 'api-key': service.key, 'fail-on-severity': 'never' };
    return await measureGate(folder.path, emulator.baseUrl, { inputs });
  } finally {
    await emulator.close();
  }
}

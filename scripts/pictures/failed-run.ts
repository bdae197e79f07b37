import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { runAction } from '../../test/harness/run-action.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** What one run of the built action leaves for its readers. */
interface Shown {
  readonly summary: string;
  readonly page: string;
}

/** The second push of a branch: the hero film was cut again, everything else is known. */
export async function showFailedRun(): Promise<Shown> {
  const emulator = await startEmulator();
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-pictures-'));
  try {
    const scenario: Scenario = JSON.parse(await readFile(path.join(EXAMPLES, 'demo-scenario.json'), 'utf8'));
    const files = [{ match: 'campaign-hero-*.mp4', issues: [FIRST_CUT] }, ...(scenario.files ?? [])];
    const service = emulator.workspace({ scenario: { ...scenario, files } });
    await cp(path.join(EXAMPLES, 'media'), folder, { recursive: true });
    await run(emulator.baseUrl, service.key, folder);
    await appendFile(path.join(folder, 'campaign/hero.mp4'), Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
    service.load(scenario);
    return await run(emulator.baseUrl, service.key, folder);
  } finally {
    await rm(folder, { recursive: true });
    await emulator.close();
  }
}

const FIRST_CUT = {
  severity: 'MAJOR',
  ruleCode: 'PRICE-01',
  referenceNumber: 1032,
  severityReasoningHeadline: 'Price without VAT',
  summary: 'The end card shows a net price.',
};

async function run(baseUrl: string, key: string, folder: string): Promise<Shown> {
  const reports = path.join(folder, 'reports');
  const { summary } = await runAction({
    workspace: folder,
    clockFactor: 30,
    inputs: {
      'api-key': key,
      'base-url': baseUrl,
      'state-file': 'state.json',
      'report-dir': reports,
      'issue-url': 'https://compliance.example.com/issues/{referenceNumber}',
    },
    env: { GITHUB_REF: 'refs/heads/autumn-campaign' },
  });
  // A reader of the pictures has no such folder: reports are an artifact there, and other files lie in the workspace.
  const neutral = (text: string): string =>
    text.replaceAll(reports, 'artifact media-compliance-report.html of this run').replaceAll(folder + path.sep, '');
  return { summary: neutral(summary), page: neutral(await readFile(path.join(reports, 'report.html'), 'utf8')) };
}

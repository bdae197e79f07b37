import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Emulator, type Scenario, startEmulator, type Workspace } from '../../emulator/emulator.ts';
import { runAction } from '../../test/harness/run-action.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** What one run of the built action leaves for its readers. */
export interface Shown {
  readonly summary: string;
  readonly page: string;
}

/** One real run for each verdict, over the sample media. */
export async function showVerdicts(): Promise<Readonly<Record<'fail' | 'pass' | 'error' | 'skipped', Shown>>> {
  const emulator = await startEmulator();
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-pictures-'));
  try {
    return {
      fail: await failed(emulator, path.join(folder, 'fail')),
      pass: await passed(emulator, path.join(folder, 'pass')),
      error: await broken(emulator, path.join(folder, 'error')),
      skipped: await run(emulator.baseUrl, '', path.join(folder, 'skipped'), { 'if-no-api-key': 'skip' }),
    };
  } finally {
    await rm(folder, { recursive: true });
    await emulator.close();
  }
}

/** The second push of a branch: the hero film was cut again, everything else is known. */
async function failed(emulator: Emulator, folder: string): Promise<Shown> {
  const scenario: Scenario = JSON.parse(await readFile(path.join(EXAMPLES, 'demo-scenario.json'), 'utf8'));
  const service = emulator.workspace({
    scenario: {
      ...scenario,
      files: [{ match: 'campaign-hero-*.mp4', issues: [FIRST_CUT] }, ...(scenario.files ?? [])],
    },
  });
  await runWith(emulator, service, folder);
  await appendFile(path.join(folder, 'campaign/hero.mp4'), Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
  service.load(scenario);
  return await runWith(emulator, service, folder);
}

const FIRST_CUT = {
  severity: 'MAJOR',
  ruleCode: 'PRICE-01',
  referenceNumber: 1032,
  severityReasoningHeadline: 'Price without VAT',
  summary: 'The end card shows a net price.',
};

async function passed(emulator: Emulator, folder: string): Promise<Shown> {
  const minor = {
    severity: 'MINOR',
    ruleCode: 'LEGIBLE-01',
    referenceNumber: 1043,
    severityReasoningHeadline: 'Too short to be read',
    summary: 'The footnote at 0:01 is shown for 0.8 seconds.',
  };
  const service = emulator.workspace({ scenario: { files: [{ match: 'campaign-hero-*.mp4', issues: [minor] }] } });
  return await runWith(emulator, service, folder);
}

/** Two films that the service cannot decode. */
async function broken(emulator: Emulator, folder: string): Promise<Shown> {
  const fails = {
    errorType: 'DECODE_ERROR',
    errorMessage: 'The video stream ends before its index',
    isRetryable: true,
  };
  const service = emulator.workspace({ scenario: { files: [{ match: 'campaign-hero-*', fails }] } });
  return await runWith(emulator, service, folder);
}

async function runWith(emulator: Emulator, service: Workspace, folder: string): Promise<Shown> {
  return await run(emulator.baseUrl, service.key, folder, {});
}

async function run(
  baseUrl: string,
  key: string,
  folder: string,
  inputs: Readonly<Record<string, string>>,
): Promise<Shown> {
  await cp(path.join(EXAMPLES, 'media'), folder, { recursive: true, force: false });
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
      ...inputs,
    },
    env: { GITHUB_REF: 'refs/heads/autumn-campaign' },
  });
  // A reader of the pictures has no such folder: reports are an artifact there, and other files lie in the workspace.
  const neutral = (text: string): string =>
    text.replaceAll(reports, 'artifact media-compliance-report.html of this run').replaceAll(folder + path.sep, '');
  return { summary: neutral(summary), page: neutral(await readFile(path.join(reports, 'report.html'), 'utf8')) };
}

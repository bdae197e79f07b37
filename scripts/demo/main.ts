/**
 * The gate at work, from end to end on this machine: an emulator of the service, the sample media, and the built action,
 * started as a runner starts it. Run it with `npm start`.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { startEmulator } from '../../emulator/emulator.ts';
import { runAction } from '../../test/harness/run-action.ts';
import { page } from './page.ts';
import { runnerLog } from './runner-log.ts';
import { table } from './text.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
/** A team's own choice: what is published, without the masters it was made from. */
const FILES = ['**/*.{mp4,webm,mp3,wav,jpg,png,webp,gif,pdf,docx}', '!**/*-master.*'];
const WIDEST = 120;

/** What the scenario leads to. The demo is a test, too: where it turns out otherwise it ends in an error. */
const EXPECTED = {
  verdict: 'fail',
  reason: 'issues',
  'critical-count': '1',
  'issue-count': '6',
  'files-submitted': '13',
  'assets-failed': '0',
};

const columns = Math.min(process.stdout.columns ?? WIDEST, WIDEST);
const print = (line: string): void => console.log(line);
const title = (text: string): void => print(`\n${styleText('bold', `━━ ${text} `.padEnd(columns, '━'))}\n`);

const emulator = await startEmulator();
const service = emulator.workspace({
  scenario: JSON.parse(await readFile(path.join(EXAMPLES, 'demo-scenario.json'), 'utf8')),
});
const workspace = await makeWorkspace();
const reports = await mkdtemp(path.join(tmpdir(), 'gate-demo-report-'));

title('The step, as a workflow has it');
print(`- uses: your-org/media-compliance-gate@v0
  with:
    api-key: \${{ secrets.COMPLIANCE_API_KEY }}
    base-url: ${emulator.baseUrl}   # an emulator of the service
    files: |
${FILES.map((pattern) => `      ${pattern}`).join('\n')}
    report-dir: ${reports}
    state-file: state.json   # where a real runner keeps it in an artifact`);

title('Its log');
const run = await runAction({
  workspace,
  inputs: {
    'api-key': service.key,
    'base-url': emulator.baseUrl,
    files: FILES.join('\n'),
    'report-dir': reports,
    'state-file': 'state.json',
  },
  onLine: runnerLog(print),
});
await rm(workspace, { recursive: true });
await emulator.close();

title('Its summary, on the page of the run');
print(page(run.summary, columns));

title('Its outputs, for later steps');
print(table(Object.entries(run.outputs), columns).join('\n'));

title('What happened');
const surprises = Object.entries(EXPECTED).filter(([name, value]) => run.outputs[name] !== value);
if (run.exitCode === 1 && surprises.length === 0) {
  print(`The gate's verdict is ${styleText(['bold', 'red'], 'fail')}: the check is red, and where it is required the pull request cannot be merged.
That is what this demo is meant to show, so the demo itself went well.
The emulator saw ${service.requests.length} requests and ${service.submissions.length} submission. What it finds is in examples/demo-scenario.json.
The report with the media in it: ${path.join(reports, 'report.html')}
`);
} else {
  print(`The demo did not go as planned. The action ended with ${run.exitCode}; it should have been 1.`);
  for (const [name, value] of surprises) print(`${name} is "${run.outputs[name]}"; it should have been "${value}".`);
  process.exitCode = 1;
}

/** The sample media, and one file above 10 MB: those go another way, straight to storage. */
async function makeWorkspace(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-demo-'));
  await cp(path.join(EXAMPLES, 'media'), folder, { recursive: true });
  const hero = await readFile(path.join(folder, 'campaign/hero.webm'));
  // A WebM may end in a Void element, which players skip.
  const padding = Buffer.alloc(12_000_000);
  padding.set([0xec, 0x01, 0, 0, 0]);
  padding.writeUInt32BE(padding.length - 9, 5);
  await writeFile(path.join(folder, 'campaign/hero-long.webm'), Buffer.concat([hero, padding]));
  return folder;
}

/**
 * Runs the built action as a runner does, on the sample media and against an emulator of the service. Start it with
 * `npm start`.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { startEmulator } from '../../emulator/emulator.ts';
import { runAction } from '../../test/harness/run-action.ts';
import { page } from '../terminal/page.ts';
import { runnerLog } from '../terminal/runner-log.ts';
import { table } from '../terminal/text.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
/** A typical choice: published files without their masters. */
const FILES = ['**/*.{mp4,webm,mp3,wav,jpg,png,webp,gif,pdf,docx}', '!**/*-master.*'];
const MAX_COLUMNS = 120;

/** The outcome of the scenario. The demo fails if the run has another one. */
const EXPECTED = {
  verdict: 'fail',
  reason: 'issues',
  'critical-count': '1',
  'issue-count': '6',
  'files-submitted': '13',
  'assets-failed': '0',
};

const columns = Math.min(process.stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS);
const print = (line: string): void => console.log(line);
const title = (text: string): void => print(`\n${styleText('bold', `━━ ${text} `.padEnd(columns, '━'))}\n`);

const emulator = await startEmulator();
const service = emulator.workspace({
  scenario: JSON.parse(await readFile(path.join(EXAMPLES, 'demo-scenario.json'), 'utf8')),
});
const workspace = await makeWorkspace();
const reports = await mkdtemp(path.join(tmpdir(), 'gate-demo-report-'));

title('The step in a workflow');
print(`- uses: your-org/media-compliance-gate@v0
  with:
    api-key: \${{ secrets.COMPLIANCE_API_KEY }}
    base-url: ${emulator.baseUrl}   # an emulator of the service
    files: |
${FILES.map((pattern) => `      ${pattern}`).join('\n')}
    report-dir: ${reports}
    state-file: state.json   # on GitHub, an artifact is used instead`);

title('Log');
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

title('Job summary');
print(page(run.summary, columns));

title('Outputs');
print(table(Object.entries(run.outputs), columns).join('\n'));

title('Result');
const unexpected = Object.entries(EXPECTED).filter(([name, value]) => run.outputs[name] !== value);
if (run.exitCode === 1 && unexpected.length === 0) {
  print(`The gate's verdict is ${styleText(['bold', 'red'], 'fail')}: the check is red, which blocks the merge if the check is required.
This is the expected result of the demo. The emulator got ${service.requests.length} requests and ${service.submissions.length} submission.
The issues come from examples/demo-scenario.json.
Report: ${path.join(reports, 'report.html')}

Try it on your own files: npm run try -- ../your-repository --dry-run
`);
} else {
  print(`Unexpected result. The exit status is ${run.exitCode}; expected 1.`);
  for (const [name, value] of unexpected) print(`${name} is "${run.outputs[name]}"; expected "${value}".`);
  process.exitCode = 1;
}

/** The sample media, and one file above 10 MB, which is uploaded to storage by a presigned URL. */
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

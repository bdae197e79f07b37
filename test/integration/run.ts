/**
 * Runs the integration tests: those against other people's servers. These are large, so they are installed here, and only
 * when they are needed.
 *
 *   node test/integration/run.ts [what vitest takes]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** npm leaves a copy of what it installed: without what only the lock file itself tells, it is the same. */
function isInstalled(): boolean {
  const copy = path.join(HERE, 'node_modules/.package-lock.json');
  if (!existsSync(copy)) return false;
  const wanted = versionsIn(path.join(HERE, 'package-lock.json'));
  const present = versionsIn(copy);
  return [...present].every(([name, version]) => wanted.get(name) === version) && present.has('node_modules/azurite');
}

function versionsIn(file: string): ReadonlyMap<string, string> {
  const { packages }: { packages: Record<string, { version?: string }> } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries(packages).map(([name, { version = '' }]) => [name, version]));
}

function execute(command: string, args: readonly string[], cwd: string): number {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  return status ?? 1;
}

process.exitCode =
  (isInstalled() ? 0 : execute('npm', ['ci', '--no-audit', '--no-fund'], HERE)) ||
  execute(
    'vitest',
    ['run', '--config', path.join(HERE, 'vitest.config.ts'), ...process.argv.slice(2)],
    path.join(HERE, '../..'),
  );

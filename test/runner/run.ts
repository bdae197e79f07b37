/**
 * Runs the workflows of this repository with nektos/act, a workflow runner of other people. It is written in Go, so this
 * needs Go. It is built from source into an ignored folder, once.
 *
 *   node test/runner/run.ts [what vitest takes]
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute } from '../../scripts/own-packages.ts';
import { ACT_BINARY, ACT_VERSION } from './act.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** @returns the exit status: 0 if the pinned version is there now */
function installAct(): number {
  if (existsSync(ACT_BINARY)) return 0;
  const { status, error } = spawnSync('go', ['install', `github.com/nektos/act@v${ACT_VERSION}`], {
    // A folder for each version: a new pin is installed beside the old one.
    env: { ...process.env, GOBIN: path.dirname(ACT_BINARY) },
    stdio: 'inherit',
  });
  if (error) console.error(`Install Go 1.25 or newer: ${error.message}`);
  return status ?? 1;
}

process.exitCode =
  installAct() ||
  execute(
    'vitest',
    ['run', '--config', path.join(HERE, 'vitest.config.ts'), ...process.argv.slice(2)],
    path.join(HERE, '../..'),
  );

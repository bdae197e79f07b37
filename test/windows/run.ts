/**
 * Runs the built action with Windows' Node under Wine.
 *
 *   node test/windows/run.ts [what vitest takes]
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute, installOwnPackages } from '../../scripts/own-packages.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));

process.exitCode =
  installOwnPackages(HERE) ||
  execute(
    'vitest',
    ['run', '--config', path.join(HERE, 'vitest.config.ts'), ...process.argv.slice(2)],
    path.join(HERE, '../..'),
  );

/**
 * Has the report files of five runs checked by the programs that will read them.
 *
 *   CODEQL_ACTION=… JENKINS_XUNIT=… node test/validators/run.ts [what vitest takes]
 *
 * These are checkouts of github/codeql-action and jenkinsci/xunit-plugin, for their schemas. Needs Linux, and Python with
 * the packages of requirements.txt.
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

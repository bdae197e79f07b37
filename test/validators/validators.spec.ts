/** Needs Linux, and a checkout of github/codeql-action for its schema: `CODEQL_ACTION=… npm run test:validators`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { mp4, pdf, png } from '../harness/media.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MULTITOOL = path.join(HERE, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool');
const execute = promisify(execFile);

const ISSUES: Scenario['files'] = [
  { match: 'spot', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] },
  { match: 'menu', issues: [{ severity: 'MAJOR', status: 'DISMISSED' }] },
];

/** Names that a URI has to escape. */
const FILES = { 'spot <1> & "2".mp4': mp4('a'), 'logo ä%20.png': png('b'), 'docs/menu#1.pdf': pdf('c') };

/** SARIF2005 is a warning: it recommends an address and a version of the tool. */
const ACCEPTED = ['SARIF2005'];

function checkout(variable: string, file: string): string {
  const folder = process.env[variable];
  if (!folder || !existsSync(path.join(folder, file)))
    throw new Error(`${variable} must name a checkout with ${file}.`);
  return path.join(folder, file);
}

it.for<{ verdict: string; mode: 'live' | 'sandbox'; scenario: Scenario }>([
  { verdict: 'pass', mode: 'live', scenario: {} },
  { verdict: 'pass', mode: 'sandbox', scenario: {} },
  { verdict: 'fail', mode: 'live', scenario: { files: [...ISSUES, { match: 'logo', fails: {} }] } },
])('report.sarif is accepted: $verdict, $mode', async ({ verdict, ...service }, { gate, makeFolder }) => {
  const folder = await makeFolder();
  const run = await gate({ files: FILES, ...service });
  expect(run.outputs['verdict'], run.log).toBe(verdict);
  await writeFile(path.join(folder, 'report.sarif'), run.file('report.sarif'));
  expect(await findWithMultitool(path.join(folder, 'report.sarif'), path.join(folder, 'found.sarif'))).toEqual([]);

  // `upload-sarif` validates with the same package and schema.
  const { Validator } = createRequire(import.meta.url)('jsonschema');
  const schema = await readFile(checkout('CODEQL_ACTION', 'src/sarif-schema-2.1.0.json'), 'utf8');
  const sarif = await readFile(path.join(folder, 'report.sarif'), 'utf8');
  expect(new Validator().validate(JSON.parse(sarif), JSON.parse(schema)).errors.map(String)).toEqual([]);
});

/** Validates a SARIF file with Microsoft's multitool, which writes its findings to another SARIF file. */
async function findWithMultitool(sarif: string, found: string): Promise<readonly string[]> {
  // The package is built on Windows, so the program is not marked as executable.
  await chmod(MULTITOOL, 0o755);
  const args = ['validate', sarif, '--rule-kind', 'Sarif;Ghas', '--output', found];
  // The multitool exits with an error if it has findings.
  await execute(MULTITOOL, args, { env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } }).catch(() => undefined);
  const { runs }: { runs: { results?: { ruleId: string; message: object }[] }[] } = JSON.parse(
    (await readFile(found, 'utf8')).replace(/^\ufeff/, ''),
  );
  expect(runs).toHaveLength(1);
  const problems = runs.flatMap(({ results = [] }) => results.filter(({ ruleId }) => !ACCEPTED.includes(ruleId)));
  return problems.map(({ ruleId, message }) => `${ruleId} ${JSON.stringify(message)}`);
}

/**
 * Needs Linux, Python with the packages of requirements.txt, and checkouts of github/codeql-action and
 * jenkinsci/xunit-plugin, for their schemas: `CODEQL_ACTION=… JENKINS_XUNIT=… npm run test:validators`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { mp4, pdf, png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace, type TestWorkspace } from '../harness/workspace.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MULTITOOL = path.join(HERE, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool');
const execute = promisify(execFile);

const ISSUES: Scenario['files'] = [
  { match: 'spot', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] },
  { match: 'menu', issues: [{ severity: 'MAJOR', status: 'DISMISSED' }] },
];

const RUNS: readonly { name: string; verdict: string; scenario: Scenario; mode?: 'sandbox' }[] = [
  { name: 'pass', verdict: 'pass', scenario: {} },
  { name: 'fail', verdict: 'fail', scenario: { files: ISSUES } },
  { name: 'error', verdict: 'error', scenario: { default: { fails: {} } } },
  { name: 'sandbox', verdict: 'pass', scenario: {}, mode: 'sandbox' },
  { name: 'mixed', verdict: 'fail', scenario: { files: [...ISSUES, { match: 'logo', fails: {} }] } },
];

/** What the multitool found. Without `--level` these are errors and warnings. */
interface Found {
  readonly runs: readonly {
    readonly results?: readonly { ruleId: string; message: { id: string; arguments: readonly string[] } }[];
  }[];
}

/** A warning: it would like the address and the version of the tool. */
const ACCEPTED = ['SARIF2005'];

/** A checkout of another repository, for its schema. */
function checkout(variable: string, file: string): string {
  const folder = process.env[variable];
  if (!folder || !existsSync(path.join(folder, file)))
    throw new Error(`${variable} must name a checkout with ${file}.`);
  return path.join(folder, file);
}

let emulator: Emulator;
let workspace: TestWorkspace;
let temp: string;
beforeAll(async () => {
  emulator = await startEmulator();
  // Names that a URI and XML have to escape.
  workspace = await makeWorkspace({
    'spot <1> & "2".mp4': mp4('a'),
    'logo ä%20.png': png('b'),
    'docs/menu#1.pdf': pdf('c'),
  });
  temp = await mkdtemp(path.join(tmpdir(), 'gate-validators-'));
  // Its package is made on Windows, without the bit that makes it a program.
  await chmod(MULTITOOL, 0o755);
});
afterAll(async () => {
  await emulator.close();
  await workspace.remove();
  await rm(temp, { recursive: true });
});

describe.each(RUNS)('$name', ({ name, verdict, scenario, mode }) => {
  let folder: string;
  beforeAll(async () => {
    folder = path.join(temp, name);
    const run = await runAction({
      workspace: workspace.path,
      service: emulator.workspace({ scenario, ...(mode && { mode }) }),
      clockFactor: 40,
      inputs: { 'report-dir': folder },
    });
    assert.equal(run.outputs['verdict'], verdict, run.log);
  });

  it("Microsoft's multitool finds nothing wrong with report.sarif", async () => {
    const found = path.join(temp, `${name}.found.sarif`);
    const args = ['validate', path.join(folder, 'report.sarif'), '--rule-kind', 'Sarif;Ghas', '--output', found];
    // It fails if there is an error, and its own report then says which.
    await execute(MULTITOOL, args, { env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } }).catch(() => undefined);
    const { runs }: Found = JSON.parse((await readFile(found, 'utf8')).replace(/^\ufeff/, ''));
    const problems = runs.flatMap(({ results = [] }) => results.filter(({ ruleId }) => !ACCEPTED.includes(ruleId)));
    expect(runs).toHaveLength(1);
    expect(problems.map(({ ruleId, message }) => `${ruleId} ${message.id}: ${message.arguments.join(', ')}`)).toEqual(
      [],
    );
  });

  it("upload-sarif's schema accepts report.sarif", async () => {
    const schema = JSON.parse(await readFile(checkout('CODEQL_ACTION', 'src/sarif-schema-2.1.0.json'), 'utf8'));
    // The package that upload-sarif uses, which is installed here only.
    const { Validator } = createRequire(import.meta.url)('jsonschema');
    const sarif = JSON.parse(await readFile(path.join(folder, 'report.sarif'), 'utf8'));
    expect(new Validator().validate(sarif, schema).errors.map(String)).toEqual([]);
  });

  it("junitparser and the schema of Jenkins' xUnit plugin accept junit.xml", async () => {
    const schema = 'src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd';
    const args = [path.join(HERE, 'junit.py'), path.join(folder, 'junit.xml'), checkout('JENKINS_XUNIT', schema)];
    const { stdout } = await execute(process.env['PYTHON'] ?? 'python3', args);
    expect(stdout).toBe('');
  });
});

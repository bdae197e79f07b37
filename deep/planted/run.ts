/** Planted bugs: each one is put into a copy of the sources, and the tests named for it have to fail. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUGS, type PlantedBug } from './bugs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
/** What the tests need. */
const FOLDERS = ['src', 'test', 'emulator', 'scripts'];
const FILES = ['action.yml', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts'];

/** @returns the exit status: 0 if every bug was noticed */
export function plantBugs(): number {
  const project = mkdtempSync(path.join(tmpdir(), 'gate-planted-'));
  try {
    for (const name of [...FOLDERS, ...FILES])
      cpSync(path.join(ROOT, name), path.join(project, name), { recursive: true, filter: isSource });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
    // A test that fails without a bug would prove nothing.
    const failed = runTests(project, BUGS);
    if (failed.length > 0) throw new Error(`These tests fail without a bug:\n${failed.join('\n')}`);
    const missed = BUGS.filter((bug) => !isNoticed(bug, project));
    console.log(`${BUGS.length - missed.length} of ${BUGS.length} planted bugs were noticed.`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    rmSync(project, { recursive: true });
  }
}

function isSource(file: string): boolean {
  return path.basename(file) !== 'node_modules';
}

function isNoticed(bug: PlantedBug, project: string): boolean {
  const file = path.join(project, 'src', bug.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    source.replace(bug.search, () => bug.replacement),
  );
  const failed = runTests(project, [bug]);
  writeFileSync(file, source);
  console.log(`${failed.length > 0 ? 'noticed' : 'NOT NOTICED'}: ${bug.name}`);
  for (const name of failed.slice(0, 1)) console.log(`  by ${name}`);
  return failed.length > 0;
}

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Compiles the sources of the project and runs the tests named for these bugs, of those that `npm test` runs. @returns those that fail */
function runTests(project: string, bugs: readonly PlantedBug[]): readonly string[] {
  const files = [...new Set(bugs.map(({ test }) => path.join('test', test.file)))];
  const names = bugs.map(({ test }) => test.name).join('|');
  const report = path.join(project, 'report.json');
  rmSync(report, { force: true });
  // Not bundled, which would take longer and change nothing for the tests.
  const compiled = spawnSync(process.execPath, [TSC, '-p', 'tsconfig.build.json'], { cwd: project, encoding: 'utf8' });
  if (compiled.status !== 0) throw new Error(`The changed sources do not compile.\n${compiled.stdout}`);
  const options = ['--reporter=json', `--outputFile=${report}`, '--retry=1', '-t', names];
  const env = { ...process.env, GATE_BUNDLE: path.join(project, 'lib/src/main.js') };
  spawnSync(process.execPath, [VITEST, 'run', ...options, ...files], { cwd: project, env, stdio: 'ignore' });
  const { testResults }: VitestReport = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const unheld = bugs.filter(({ test }) => !tests.some(({ fullName }) => fullName.includes(test.name)));
  if (unheld.length > 0) throw new Error(`npm test has no test for: ${unheld.map(({ name }) => name).join(', ')}.`);
  return tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
}

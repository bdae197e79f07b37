import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compile } from '../project.ts';

/** One small change of the sources. */
export interface Mutant {
  readonly id: string;
  /** Path in the project. */
  readonly file: string;
  /** Its place, the code and its replacement. */
  readonly description: string;
}

/** Changing the seed chooses another sample. */
const SEED = 17;

/** The part of Stryker's instrumenter that is used here: its types are missing if it is not installed. */
interface InstrumenterModule {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly SourceFile[],
      options: object,
    ): Promise<{ readonly files: readonly SourceFile[]; readonly mutants: readonly Planted[] }>;
  };
}

interface SourceFile {
  readonly name: string;
  readonly content: string;
  readonly mutate: boolean;
}

interface Planted {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  /** Lines and columns from 0. */
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const PACKAGE: string = '@stryker-mutator/instrumenter';
/** The script of report.html runs in a browser, from a text that the build makes of it. */
const BROWSER_CODE = ['src/report/page/app/**', 'src/report/page/generated.ts'];
const SILENT = { isDebugEnabled: () => false, debug: ignore, info: ignore, warn: ignore };

function ignore(): void {}

/** Puts all mutants into the sources of a project and compiles it. Each is inactive until a process chooses it. */
export async function plantMutants(project: string): Promise<readonly Mutant[]> {
  const { Instrumenter }: InstrumenterModule = await import(PACKAGE);
  const names = globSync('src/**/*.ts', { cwd: project, exclude: BROWSER_CODE }).toSorted();
  const sources = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(path.join(project, name), 'utf8'), mutate: true })),
  );
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { files, mutants } = await new Instrumenter(SILENT).instrument(sources, options);
  // A mutant need not have the right type.
  for (const { name, content } of files) await writeFile(path.join(project, name), `// @ts-nocheck\n${content}`);
  await compile(project);
  await mkdir(path.join(project, 'entries'));
  const contents = new Map(sources.map(({ name, content }) => [name, content.split('\n')]));
  return mutants.map((mutant) => ({
    id: mutant.id,
    file: mutant.fileName,
    description: describe(mutant, contents.get(mutant.fileName) ?? []),
  }));
}

function describe(
  { fileName, mutatorName, replacement, location: { start, end } }: Planted,
  lines: readonly string[],
): string {
  const line = lines[start.line] ?? '';
  const original = start.line === end.line ? line.slice(start.column, end.column) : `${line.slice(start.column)} …`;
  const place = `${fileName}:${start.line + 1}:${start.column + 1}`;
  return `${mutatorName} ${place}\n  line  ${line.trim()}\n  was   ${original}\n  is    ${replacement.replaceAll(/\s+/g, ' ')}`;
}

/** The mutants with the lowest hashes of seed and description: the same in every run, and spread over all files. */
export function chooseSample(mutants: readonly Mutant[], size: number): readonly Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, hash: createHash('sha256').update(`${SEED}\n${mutant.description}`).digest('hex') }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/** @returns a file that starts the action with this mutant, as the tests start the bundle */
export async function writeEntry(project: string, mutantId: string): Promise<string> {
  const entry = path.join(project, 'entries', `${mutantId}.mjs`);
  await writeFile(
    entry,
    `globalThis.__stryker__ = { activeMutant: '${mutantId}' };\nawait import('../lib/main.js');\n`,
  );
  return entry;
}

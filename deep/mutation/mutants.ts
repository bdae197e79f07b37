import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compile } from '../project.ts';
import type { Area } from './areas.ts';

/** One small change of the sources. */
export interface Mutant {
  readonly id: string;
  /** In the copy of the project. */
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
    ): Promise<{ readonly files: readonly SourceFile[]; readonly mutants: readonly Mutant[] }>;
  };
}

interface SourceFile {
  readonly name: string;
  readonly content: string;
  readonly mutate: boolean;
}

const PACKAGE: string = '@stryker-mutator/instrumenter';
const SILENT = { isDebugEnabled: () => false, debug: ignore, info: ignore, warn: ignore };

function ignore(): void {}

/** Puts all mutants into the sources of a project and compiles it. Each is inactive until a process chooses it. */
export async function plantMutants(project: string): Promise<readonly Mutant[]> {
  const { Instrumenter }: InstrumenterModule = await import(PACKAGE);
  const names = globSync('src/**/*.ts', { cwd: project }).toSorted();
  const sources = await Promise.all(
    names.map(async (name) => {
      const file = path.join(project, name);
      return { name: file, content: await readFile(file, 'utf8'), mutate: true };
    }),
  );
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { files, mutants } = await new Instrumenter(SILENT).instrument(sources, options);
  // A mutant need not have the right type.
  for (const { name, content } of files) await writeFile(name, `// @ts-nocheck\n${content}`);
  await compile(project);
  await mkdir(path.join(project, 'entries'));
  return mutants;
}

/** Mutants in the sources of an area. */
export function mutantsIn(area: Area, mutants: readonly Mutant[], project: string): readonly Mutant[] {
  return mutants.filter(({ fileName }) => path.matchesGlob(path.relative(project, fileName), area.sources));
}

/** The mutants with the lowest hashes of seed, place and replacement: the same in every run, and spread over all files. */
export function chooseSample(mutants: readonly Mutant[], size: number, project: string): readonly Mutant[] {
  const hashOf = ({ fileName, location: { start }, replacement }: Mutant): string =>
    createHash('sha256')
      .update(JSON.stringify([SEED, path.relative(project, fileName), start.line, start.column, replacement]))
      .digest('hex');
  return mutants
    .map((mutant) => ({ mutant, hash: hashOf(mutant) }))
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

/** @param root of the original sources, which are not changed */
export async function describeMutant(mutant: Mutant, project: string, root: string): Promise<string> {
  const file = path.relative(project, mutant.fileName);
  const { start, end } = mutant.location;
  const lines = (await readFile(path.join(root, file), 'utf8')).split('\n');
  const line = lines[start.line] ?? '';
  const original = start.line === end.line ? line.slice(start.column, end.column) : `${line.slice(start.column)} …`;
  const replacement = mutant.replacement.replaceAll(/\s+/g, ' ');
  return `${mutant.mutatorName} ${file}:${start.line + 1}\n  line  ${line.trim()}\n  was   ${original}\n  is    ${replacement}`;
}

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AREAS } from './areas.ts';
import { asTable, isEnough, type Score, scoreOf } from './score.ts';
import { type Mutant, mutantsOf } from './stryker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = path.join(ROOT, 'docs/testing.md');

/**
 * Mutation testing, area by area. Shows each change that no test noticed, and the table of docs/testing.md, which it
 * writes there after a run of all areas.
 *
 * @param names of areas; without any, all
 */
export async function testMutants(names: readonly string[]): Promise<boolean> {
  const areas = AREAS.filter(({ name }) => names.length === 0 || names.includes(name));
  if (areas.length < names.length) {
    console.error(`Areas are: ${AREAS.map(({ name }) => `"${name}"`).join(', ')}.`);
    return false;
  }
  const scores: Score[] = [];
  for (const area of areas) {
    console.log(`Mutants in ${area.name}`);
    const score = scoreOf(area, await mutantsOf(area));
    for (const mutant of score.survivors) console.log(await inWords(mutant));
    scores.push(score);
  }
  const table = asTable(scores);
  console.log(table);
  if (names.length === 0) await writeTable(table);
  return scores.every(isEnough);
}

async function inWords({ fileName, mutatorName, replacement, status, location }: Mutant): Promise<string> {
  const { start, end } = location;
  const lines = (await readFile(fileName, 'utf8')).split('\n').slice(start.line - 1, end.line);
  const isOneLine = start.line === end.line;
  const [first = ''] = lines;
  const original = isOneLine ? first.slice(start.column - 1, end.column - 1) : `${first.slice(start.column - 1)} …`;
  const where = `${path.relative(ROOT, fileName)}:${start.line}:${start.column}`;
  return `${status} ${mutatorName} ${where}\n  in   ${first.trim()}\n  was  ${original}\n  is   ${replacement.replaceAll(/\s+/g, ' ')}`;
}

async function writeTable(table: string): Promise<void> {
  const text = await readFile(DOCS, 'utf8');
  await writeFile(
    DOCS,
    text.replace(
      /(<!-- table: npm run deep mutation -->\n)[\s\S]*?(\n<!-- \/table -->)/,
      (_, start: string, end: string) => `${start}\n${table}\n${end}`,
    ),
  );
}

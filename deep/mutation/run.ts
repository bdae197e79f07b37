import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AREAS } from './areas.ts';
import { isEnough, type Score, scoreOf, withRow } from './score.ts';
import { type Mutant, mutantsOf } from './stryker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = path.join(ROOT, 'docs/testing.md');

/**
 * Mutation testing, area by area. Shows each change that no test noticed, and writes the scores into the table of
 * docs/testing.md.
 *
 * @param names of areas; without any, all
 */
export async function testMutants(names: readonly string[]): Promise<boolean> {
  const areas = AREAS.filter(({ name }) => names.length === 0 || names.includes(name));
  if (areas.length < names.length) {
    console.error(`Areas are: ${AREAS.map(({ name }) => `"${name}"`).join(', ')}.`);
    return false;
  }
  let table = '';
  let isWell = true;
  for (const area of areas) {
    console.log(`Mutants in ${area.name}`);
    const score = scoreOf(area, await mutantsOf(area));
    for (const mutant of [...score.endless, ...score.survivors]) console.log(await inWords(mutant));
    table = await writeRow(score);
    isWell &&= isEnough(score);
  }
  console.log(table);
  return isWell;
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

const [START, END] = ['<!-- table: npm run deep mutation -->\n', '\n<!-- /table -->'];

async function writeRow(score: Score): Promise<string> {
  const text = await readFile(DOCS, 'utf8');
  const from = text.indexOf(START) + START.length;
  const to = text.indexOf(END, from);
  if (from < START.length || to === -1) throw new Error(`${DOCS} has no table of mutants.`);
  const table = withRow(text.slice(from, to), score);
  await writeFile(DOCS, `${text.slice(0, from)}\n${table}\n${text.slice(to)}`);
  return table;
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, recorded, today } from '../record.ts';
import { AREAS } from './areas.ts';
import { isEnough, scoreOf, withRow } from './score.ts';
import { type Mutant, mutantsOf } from './stryker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Mutation testing, area by area. Shows each change that no test noticed, and records the scores.
 *
 * @param names of areas; without any, all
 */
export async function testMutants(names: readonly string[]): Promise<boolean> {
  const areas = AREAS.filter(({ name }) => names.length === 0 || names.includes(name));
  if (areas.length < names.length) {
    console.error(`Areas are: ${AREAS.map(({ name }) => `"${name}"`).join(', ')}.`);
    return false;
  }
  let isWell = true;
  for (const area of areas) {
    console.log(`Mutants in ${area.name}`);
    const score = scoreOf(area, await mutantsOf(area));
    for (const mutant of [...score.endless, ...score.survivors]) console.log(await inWords(mutant));
    record('mutation', withRow(recorded('mutation'), score, today()));
    isWell &&= isEnough(score);
  }
  console.log(recorded('mutation'));
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

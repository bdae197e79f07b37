import { share } from '../../test/coverage/branches.ts';
import { table } from '../record.ts';
import { AREAS, type Area } from './areas.ts';
import type { Mutant } from './stryker.ts';

/** How many of an area's mutants have to be noticed. */
const GOAL = 0.85;

export interface Score {
  readonly area: Area;
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly Mutant[];
  /** Among the killed: those that were given up. */
  readonly endless: readonly Mutant[];
}

/** A mutant that never ends was noticed. One that no test reaches was not. What could not even be loaded is no mutant. */
export function scoreOf(area: Area, all: readonly Mutant[]): Score {
  const endless = all.filter(({ status }) => status === 'Timeout');
  const killed = all.filter(({ status }) => status === 'Killed').length + endless.length;
  const survivors = all.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  return { area, mutants: killed + survivors.length, killed, survivors, endless };
}

export function isEnough({ killed, mutants }: Score): boolean {
  return killed >= GOAL * mutants;
}

/** The table with a new row for this area; those of the others stay as they are. */
export function withRow(before: string, score: Score, date: string): string {
  const rows = new Map(before.split('\n').map((line) => [/^\| ([^|]*) \|/.exec(line)?.[1], line]));
  const head = table(
    ['area', 'files of `src/`', 'mutants', 'killed', 'score', 'last run'],
    ['---', '---', '---:', '---:', '---:', '---'],
    [],
  );
  rows.set(score.area.name, row(score, date));
  return [head, ...AREAS.map(({ name }) => rows.get(name)).filter((line) => line !== undefined)].join('\n');
}

function row({ area, mutants, killed }: Score, date: string): string {
  const files = area.files.map((file) => `\`${file}\``).join(', ');
  return `| ${[area.name, files, mutants, killed, share(killed, mutants), date].join(' | ')} |`;
}

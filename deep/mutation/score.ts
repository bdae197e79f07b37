import type { Area } from './areas.ts';
import type { Mutant } from './stryker.ts';

/** How many of an area's mutants have to be noticed. */
const GOAL = 0.85;

export interface Score {
  readonly area: Area;
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly Mutant[];
}

/** A mutant that never ends was noticed. One that no test reaches was not. What could not even be loaded is no mutant. */
export function scoreOf(area: Area, all: readonly Mutant[]): Score {
  const killed = all.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survivors = all.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  return { area, mutants: killed + survivors.length, killed, survivors };
}

export function isEnough({ killed, mutants }: Score): boolean {
  return killed >= GOAL * mutants;
}

export function asTable(scores: readonly Score[]): string {
  return [
    '| area | files of `src/` | mutants | killed | score | what survives |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    ...scores.map(
      ({ area, mutants, killed }) =>
        `| ${area.name} | ${area.files.map((file) => `\`${file}\``).join(', ')} | ${mutants} | ${killed} | ${percent(killed, mutants)} | ${area.survivors} |`,
    ),
  ].join('\n');
}

/** Cut, not rounded: 84.96 % is not enough. */
function percent(part: number, whole: number): string {
  return `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;
}

import { parseArgs } from 'node:util';
import { live } from './life.ts';

/**
 * Plays random lives of a repository, and prints those in which a promise was broken:
 *
 *     node test/life/main.ts --first 1 --count 100
 *
 * The modules of this folder: `life` (with `weather` and `repository`) says what happens; `world` plays it, with a `clock`
 * that jumps, a `network` without wires, and a `service` of `asset`s; `observer` (with `truth` and `baseline`) judges each
 * `run`. A new event is one more row of EVENTS in `life`.
 */
const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    /** Ends with the first broken promise. */
    stop: { type: 'boolean', default: false },
    /** Prints each diary. */
    all: { type: 'boolean', default: false },
  },
});
const first = Number(values.first);
for (let seed = first; seed < first + Number(values.count); seed++) {
  const { diary, broken } = await live(seed);
  // The action's packages print their own lines to stdout.
  if (broken.length > 0 || values.all)
    console.error([`life ${seed}`, ...diary, ...broken.map((each) => `BROKEN: ${each}`)].join('\n  '));
  if (broken.length > 0 && values.stop) break;
}

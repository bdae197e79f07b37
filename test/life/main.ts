import { parseArgs } from 'node:util';
import { live } from './life.ts';
import { allCases, describeCase, play } from './outcomes.ts';

/**
 * Plays one of the random machines, and prints what was broken:
 *
 *     node test/life/main.ts lives --first 1 --count 100
 *     node test/life/main.ts outcomes --first 0 --step 61
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    first: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    step: { type: 'string', default: '61' },
    /** Ends with the first broken promise. */
    stop: { type: 'boolean', default: false },
    /** Prints each diary. */
    all: { type: 'boolean', default: false },
  },
});
const first = Number(values.first);

const machines: Readonly<Record<string, () => AsyncGenerator<string>>> = {
  async *lives() {
    for (let seed = first; seed < first + Number(values.count); seed++) {
      const { diary, broken } = await live(seed);
      const text = [`life ${seed}`, ...diary, ...broken.map((each) => `BROKEN: ${each}`)].join('\n  ');
      if (broken.length > 0 || values.all) yield text;
    }
  },
  async *outcomes() {
    const cases = allCases();
    for (let index = first; index < cases.length; index += Number(values.step)) {
      const each = cases[index];
      if (!each) continue;
      const [expected, happened] = await play(each);
      if (expected !== happened)
        yield `case ${index}: ${describeCase(each)}\n  BROKEN: expected "${expected}", got "${happened}"`;
    }
  },
};

const machine = machines[positionals[0] ?? ''];
if (!machine) throw new Error(`Name one of these machines: ${Object.keys(machines).join(', ')}.`);
// The action's packages print their own lines to stdout.
for await (const text of machine()) {
  console.error(text);
  if (values.stop && text.includes('BROKEN')) break;
}

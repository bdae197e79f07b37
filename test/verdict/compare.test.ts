import { describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../src/service/issue.ts';
import { type Comparable, compare } from '../../src/verdict/compare.ts';

const [CRITICAL, MAJOR, MINOR] = SEVERITIES;

function of(ruleCode: string, severity: Comparable['severity'], facts: object = {}): Comparable {
  return { ruleCode, severity, ...facts };
}

describe('compare', () => {
  // biome-ignore format: a table
  it.each<[string, readonly Comparable[], readonly Comparable[], number, number]>([
    ['the same',                       [of('A', MAJOR)],                   [of('A', MAJOR)],                      0, 0],
    ['another rule',                   [of('A', MAJOR)],                   [of('B', MAJOR)],                      1, 1],
    ['now with its sidekick',          [of('A', MAJOR, { sidekickId: 'x' })], [of('A', MAJOR)],                   0, 0],
    ['one more',                       [of('A', MAJOR), of('A', MAJOR)],   [of('A', MAJOR)],                      1, 0],
    ['one less',                       [of('A', MAJOR)],                   [of('A', MAJOR), of('A', MAJOR)],      0, 1],
    ['two less',                       [],                                 [of('A', MAJOR), of('A', MAJOR)],      0, 2],
    ['more severe',                    [of('A', CRITICAL)],                [of('A', MAJOR)],                      1, 1],
    ['less severe',                    [of('A', MINOR)],                   [of('A', MAJOR)],                      0, 0],
    ['a mild one takes no severe one', [of('A', MINOR), of('A', CRITICAL)], [of('A', CRITICAL), of('A', MINOR)],  0, 0],
    ['no rule code',                   [of('', MAJOR)],                    [of('', MAJOR)],                       1, 0],
  ])('%s', (_, current, earlier, added, gone) => {
    const comparison = compare(current, earlier);
    expect([comparison.added.size, comparison.gone.length]).toEqual([added, gone]);
  });

  it('names the one as new that has no match', () => {
    const [worse, milder] = [of('A', CRITICAL), of('A', MINOR)];
    expect([...compare([milder, worse], [of('A', MINOR)]).added]).toEqual([worse]);
    expect([...compare([milder, worse], [of('A', CRITICAL)]).added]).toEqual([milder]);
  });

  it('names the worse one as gone if a milder one explains what is left', () => {
    const worse = of('A', CRITICAL);
    expect(compare([of('A', MAJOR)], [worse, of('A', MAJOR)]).gone).toEqual([worse]);
    expect(compare([of('A', MAJOR)], [of('A', MAJOR), worse]).gone).toEqual([worse]);
  });
});

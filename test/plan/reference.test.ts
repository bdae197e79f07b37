import { expect, it } from 'vitest';
import { nothingFound } from '../../src/findings.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { OUTCOMES, type Outcome } from '../../src/service/analysis.ts';
import { analysisId, type ContentRecord } from '../../src/state/document.ts';
import { judge } from '../../src/verdict/judge.ts';
import { result } from '../builders/analyses.ts';
import { file, sha } from '../builders/media.ts';
import { analysed, basis, daysAgo } from '../builders/states.ts';
import { POLICY } from './one-run.ts';

/** One record of a content, as a run finds it. */
interface Found {
  readonly kind: 'open' | 'analysed';
  readonly outcome: Outcome;
  readonly days: number;
}

interface Kind {
  readonly isRerun: boolean;
  readonly reuseDays: number;
}

/** The table of design 4.5, row by row, without a word of the code. @param found newest first */
function reference(found: readonly Found[], { isRerun, reuseDays }: Kind): 'sent' | number {
  const left = found.filter(({ kind, outcome, days }) => {
    if (outcome === 'missing') return false;
    return kind === 'open' || (reuseDays > 0 && days < reuseDays);
  });
  const [newest] = left;
  if (!newest) return 'sent';
  const isOld = newest.days >= 7;
  if (reuseDays === 0) {
    const isYoung = (newest.outcome === 'working' || newest.outcome === 'unread') && !isOld;
    return newest.outcome === 'result' || isYoung ? found.indexOf(newest) : 'sent';
  }
  for (const each of left) {
    if (each.outcome === 'result' || each.outcome === 'last-known') return found.indexOf(each);
    // It may have the result: nothing is sent, and the newest one is shown.
    if (each.outcome === 'unclear' || each.outcome === 'unread') return found.indexOf(newest);
  }
  const isSent = isRerun && (newest.outcome === 'failed' || (newest.outcome === 'working' && isOld));
  return isSent ? 'sent' : found.indexOf(newest);
}

const AGES = [6.999, 7, 90];
const OF_OPEN = OUTCOMES.filter((outcome) => outcome !== 'last-known');
const OF_ANALYSED: readonly Outcome[] = ['result', 'last-known', 'unread', 'unclear', 'missing'];
const OPEN = OF_OPEN.flatMap((outcome) => AGES.map((days): Found => ({ kind: 'open', outcome, days })));
const ANALYSED = OF_ANALYSED.flatMap((outcome) => AGES.map((days): Found => ({ kind: 'analysed', outcome, days })));
const KINDS = [90, 0].flatMap((reuseDays) => [true, false].map((isRerun): Kind => ({ isRerun, reuseDays })));
const PAIRS = OPEN.flatMap((newer) =>
  [...OPEN, ...ANALYSED].map((older) => [newer, { ...older, days: older.days + 1 }]),
);

it('plan and verdict agree with the naive reference on every combination', () => {
  let count = 0;
  for (const kind of KINDS)
    for (const found of [...[...OPEN, ...ANALYSED].map((each) => [each]), ...PAIRS]) {
      const inOrder = found.toSorted((a, b) => a.days - b.days);
      const records = inOrder.map((each, index): ContentRecord => {
        const sent = { submissionId: `s${index}`, at: daysAgo(each.days) };
        return each.kind === 'open' ? { ...analysed('A', sent), kind: 'open' } : analysed('A', sent);
      });
      const needed = inOrder.findIndex((each) => each.kind === 'analysed');
      const kept = needed === -1 ? inOrder : inOrder.slice(0, needed + 1);
      const ids = kept.map((_, index) => analysisId({ sha256: sha('A'), submissionId: `s${index}` }));
      const asked = new Map(kept.map((each, index) => [ids[index] ?? '', each] as const));
      const plan = makePlan(basis([file('a.png', 'A')], { contents: records }, kind), asked);
      const [planned] = plan.contents;
      const expected = reference(kept, kind);
      const source = planned?.source;
      const actual =
        source?.kind === 'sent'
          ? 'sent'
          : records.findIndex((each) => each.submissionId === source?.record.submissionId);
      expect(actual, JSON.stringify([kind, kept])).toBe(expected);
      const chosen = expected === 'sent' ? undefined : kept[expected];
      const isFinal = chosen?.kind === 'analysed' || chosen?.outcome === 'failed';
      if (chosen) expect(source?.kind).toBe(isFinal ? 'reused' : 'awaited');
      // An analysis that is too old is not asked for.
      const analyses = kept.flatMap(({ kind: of, outcome, days }, index) =>
        planned && (of === 'open' || days < kind.reuseDays)
          ? [result(planned.content, { outcome, submissionId: `s${index}` })]
          : [],
      );
      const verdict = judge({ ...nothingFound(), plan, analyses }, POLICY);
      const outcome = chosen?.outcome ?? 'unread';
      expect(verdict.contents[0]?.outcome === outcome || kind.reuseDays === 0, JSON.stringify([kind, kept])).toBe(true);
      const isJudged = outcome === 'result' || outcome === 'last-known';
      if (kind.reuseDays > 0) expect(verdict.name).toBe(isJudged ? 'pass' : 'error');
      count += 1;
    }
  expect(count).toBeGreaterThan(3_000);
});

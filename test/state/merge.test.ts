import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Content } from '../../src/media/content.ts';
import { makePlan, openSubmissions, withSource } from '../../src/plan/plan.ts';
import type { Issue } from '../../src/service/issue.ts';
import { analysisId, type ContentRecord, isAnalysed, type StateDocument } from '../../src/state/document.ts';
import { joinStates, mergeState, type RunResults } from '../../src/state/merge.ts';
import { issue, result } from '../builders/analyses.ts';
import { file, sha } from '../builders/media.ts';
import { analysed, basis, daysAgo, document, failed, NOW, open, pathRecord } from '../builders/states.ts';

function content(seed: string, ...paths: readonly string[]): Content {
  return { sha256: sha(seed), size: 10, category: 'image', paths, file: undefined, name: `${seed}.png` };
}

const NOTHING = { analyses: [], submissions: [], lost: new Set<string>() };
const NO_RESULTS: RunResults = { ...NOTHING, sidekicks: '', reuseDays: 90, now: NOW };

function remembered(state: Partial<StateDocument>, run: Partial<RunResults>): StateDocument {
  return mergeState(joinStates([document(state)]), { ...NO_RESULTS, ...run });
}

const TIME = NOW.toISOString();
const OUTCOMES = ['judged', 'failed', 'unjudged'] as const;

function texts(length: number): Partial<Issue> {
  const names = ['id', 'summary', 'headline', 'status', 'ruleCode', 'reportedSeverity', 'sidekickId'];
  return Object.fromEntries(names.map((name) => [name, 'x'.repeat(length)]));
}

describe('several states together', () => {
  it('have every analysis, the latest first, and of the same time that of the nearest state', () => {
    const old = analysed('a', { at: daysAgo(9), submissionId: 'old' });
    const late = analysed('a', { at: daysAgo(2), sidekicks: 'x' });
    const far = { ...late, submissionId: 'far' };
    for (const order of [
      [old, late, far],
      [late, far, old],
    ]) {
      const { records } = joinStates(order.map((record) => document({ contents: [record] })));
      expect(records.get(sha('a'))).toEqual([late, far, old]);
    }
  });

  it('have the history of a path from the nearest state, and each open record once', () => {
    const near = document({ paths: [pathRecord('p', 'a', { seenAt: daysAgo(30) })], contents: open('s', ['a']) });
    const far = document({ paths: [pathRecord('p', 'b'), pathRecord('q', 'b')], contents: open('s', ['a', 'b']) });
    const { paths, records } = joinStates([near, far]);
    expect([...paths.values()].map(({ sha256 }) => sha256)).toEqual([sha('a'), sha('b')]);
    expect([...records.values()].flat()).toEqual(open('s', ['a', 'b']));
  });
});

describe('contents', () => {
  it('adds new analyses, with the time of this run', () => {
    const analyses = [result(content('A', 'a.png', 'b.png'), { issues: [issue()] })];
    const { contents, paths } = remembered({}, { analyses });
    const [submissionId, assetId] = ['s1', `asset-${sha('A')}`];
    expect(contents).toEqual([analysed('A', { submissionId, at: TIME, assetId, versionNumber: 1, issues: [issue()] })]);
    expect(paths).toMatchObject([{ path: 'a.png' }, { path: 'b.png' }]);
  });

  it.each([
    ['only read again keeps its date', { submissionId: 'submission-1' }, daysAgo(50)],
    ['of another submission is a new one', {}, TIME],
  ])('an analysis that was %s, with its new statuses', (_, ids, at) => {
    const state = { contents: [analysed('A', { at: daysAgo(50), issues: [issue()] })] };
    const read = result(content('A', 'a.png'), { ...ids, issues: [issue({ status: 'DISMISSED' })] });
    const { contents } = remembered(state, { analyses: [read] });
    expect(contents).toMatchObject([{ at, issues: [{ status: 'DISMISSED' }] }]);
  });

  it('an analysis that was waited for has the time of this run, not that of its submission', () => {
    const analyses = [result(content('A', 'a.png'), { submissionId: 's' })];
    expect(remembered({ contents: open('s', ['A']) }, { analyses }).contents).toMatchObject([{ at: TIME }]);
  });

  it('keeps an analysis of the same bytes as another category', () => {
    const state = { contents: [analysed('A', { category: 'document' })] };
    const { contents } = remembered(state, { analyses: [result(content('A', 'a.png'))] });
    expect(contents.map(({ category }) => category)).toEqual(['image', 'document']);
  });

  it('keeps contents that did not match this time while they may be reused', () => {
    const state = {
      contents: [
        analysed('in use', { at: daysAgo(200) }),
        analysed('young', { at: daysAgo(89) }),
        analysed('old', { at: daysAgo(91) }),
      ],
      paths: [pathRecord('p', 'in use', { seenAt: daysAgo(89) }), pathRecord('gone', 'old', { seenAt: daysAgo(91) })],
    };
    expect(remembered(state, {}).contents.map(({ sha256 }) => sha256)).toEqual([sha('young'), sha('in use')]);
    expect(remembered(state, {}).paths.map(({ path }) => path)).toEqual(['p']);
    expect(remembered(state, { reuseDays: 365 }).contents).toHaveLength(3);
    expect(remembered(state, { reuseDays: 7 }).contents).toHaveLength(2);
  });

  it('cuts long texts, and leaves out details and unknown fields, which may be a signed address or an image', () => {
    const long = issue({ ...texts(1_000), referenceNumber: 7, reasoning: 'z', createdAt: TIME });
    const halved = { ...issue({ summary: `${'x'.repeat(299)}😀` }), frameUrl: 'https://storage.test/frame?sig=0' };
    const [learnt] = remembered({}, { analyses: [result(content('A', 'a'), { issues: [long, halved] })] }).contents;
    expect(learnt).toHaveProperty('issues', [
      issue({ ...texts(300), referenceNumber: 7 }),
      issue({ summary: `${'x'.repeat(299)}\ufffd` }),
    ]);
  });
});

describe('paths', () => {
  const state = { contents: [analysed('A'), analysed('B')], paths: [pathRecord('here', 'A'), pathRecord('gone', 'B')] };

  it.each([
    ['judged', 'A', 'judged', { submissionId: 's1', seenAt: TIME, isPresent: true }],
    ['judged with new bytes', 'C', 'judged', { sha256: sha('C'), submissionId: 's1', seenAt: TIME, isPresent: true }],
    ['seen and not judged', 'A', 'unjudged', { isPresent: false }],
  ] as const)('one that was %s', (_, seed, outcome, expected) => {
    const run = { analyses: [result(content(seed, 'here'), { outcome })] };
    expect(remembered(state, run).paths).toEqual([
      pathRecord('here', 'A', expected),
      // Another branch may have brought it along.
      pathRecord('gone', 'B', { isPresent: false }),
    ]);
  });
});

describe('what is open', () => {
  const submission = {
    submissionId: 's',
    createdAt: TIME,
    contents: [content('A', 'a'), content('B', 'b')],
    assetIds: [],
  };

  it('is kept from its creation on', () => {
    expect(remembered({}, { submissions: [submission] }).contents).toEqual(open('s', ['A', 'B'], { at: TIME }));
  });

  it('of earlier runs is kept, without what is judged or was sent again', () => {
    const run = {
      submissions: [{ ...submission, contents: [content('A', 'a')] }],
      analyses: [result(content('A', 'a'), { submissionId: 's', outcome: 'failed' }), result(content('C', 'c'))],
    } as const;
    const { contents } = remembered({ contents: open('old', ['A', 'B', 'C', 'D']) }, run);
    expect(contents.filter((each) => !isAnalysed(each))).toEqual([
      ...open('s', ['A'], { at: TIME }),
      ...open('old', ['B', 'D']),
    ]);
  });

  it.each([
    ['one that a pull request reuses leaves it open', daysAgo(1), 2],
    ['a later one settles it', daysAgo(0.1), 1],
  ])('beside an analysis: %s', (_, at, count) => {
    const contents = [analysed('A', { at }), ...open('nightly', ['A'], { at: daysAgo(0.5) })];
    const reused = result(content('A', 'a'), { submissionId: 'submission-1', assetId: 'asset-A' });
    expect(remembered({ contents }, { analyses: [reused] }).contents).toHaveLength(count);
  });

  it('and was judged by another run in the meantime is not open any more', () => {
    const contents = [analysed('A', { submissionId: 's' })];
    expect(remembered({ contents }, { submissions: [submission] }).contents).toContainEqual(contents[0]);
  });

  it('and is lost is left out, as are analyses that are lost: an older one stays', () => {
    const [older, newer] = [analysed('A', { at: daysAgo(9) }), analysed('A', { submissionId: 'newer' })];
    const contents = [newer, older, ...open('nightly', ['A', 'B'], { at: daysAgo(0.5) })];
    const lost = new Set(['newer', 'nightly'].map((submissionId) => analysisId({ sha256: sha('A'), submissionId })));
    const [nightly, other] = contents.slice(2);
    expect(remembered({ contents }, {}).contents).toEqual([nightly, newer, other]);
    expect(remembered({ contents }, { lost }).contents).toEqual([older, other]);
    const all = [older, newer, ...contents.slice(2, 3)];
    expect(
      remembered({ contents: all }, { lost: new Set(all.map(analysisId)) }).contents,
      'It was not sent again.',
    ).toEqual([nightly, newer]);
  });

  it.each([
    ['by other sidekicks', open('old', ['A'], { sidekicks: 'x' })],
    ['as another category', open('old', ['A'], { name: 'a.xml', category: 'document' })],
  ])('%s stays as it is', (_, contents) => {
    expect(remembered({ contents }, { analyses: [result(content('A', 'a'))] }).contents).toContainEqual(contents[0]);
  });

  it('is dropped after seven days', () => {
    const contents = [7, 6.9].flatMap((days) => open(`${days} days`, [`${days}`], { at: daysAgo(days) }));
    expect(remembered({ contents }, {}).contents).toEqual(contents.slice(1));
  });
});

describe('what failed for good', () => {
  const causes = [{ reason: 'asset-failed', message: 'No pixels.', steps: [] }] as const;
  const broken = (submissionId: string) =>
    result(content('A', 'a'), { submissionId, outcome: 'failed', isFailedForGood: true, causes });
  const RECORD = failed('A', { submissionId: 's', at: TIME, message: 'No pixels.' });

  it.each<[string, readonly ContentRecord[], readonly ContentRecord[]]>([
    ['is not open any more', open('s', ['A']), [RECORD]],
    ['leaves the last analysis', [analysed('A'), ...open('s', ['A'])], [RECORD, analysed('A')]],
    ['is no analysis any more', [analysed('A', { submissionId: 's' })], [RECORD]],
    [
      'stays as it is, if it is only shown again',
      [failed('A', { submissionId: 's' })],
      [failed('A', { submissionId: 's' })],
    ],
  ])('%s', (_, contents, expected) => {
    const run = { analyses: [broken('s')], lost: new Set([analysisId({ sha256: sha('A'), submissionId: 's' })]) };
    expect(remembered({ contents: [...contents] }, run).contents).toEqual(expected);
  });

  it('gives way to a later analysis, and is dropped after seven days', () => {
    const contents = [failed('A'), failed('B', { at: daysAgo(7) })];
    expect(remembered({ contents }, { analyses: [result(content('A', 'a'))] }).contents).toMatchObject([
      { kind: 'analysed', sha256: sha('A') },
    ]);
  });

  it('unlike what may be retried, which stays open', () => {
    const analyses = [{ ...broken('s'), isFailedForGood: false }];
    expect(remembered({ contents: open('s', ['A']) }, { analyses }).contents).toEqual(open('s', ['A']));
  });
});

describe('merge and plan together', () => {
  const seeds = ['A', 'B', 'C', 'D', 'E', 'F'];
  /** A run: the bytes at each path, the outcome of each content, and whether it dies before the results. */
  const run = fc.record({
    files: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(...seeds), { noNullPrototype: true }),
    outcomes: fc.record(Object.fromEntries(seeds.map((seed) => [sha(seed), fc.constantFrom(...OUTCOMES)]))),
    dies: fc.boolean(),
  });

  it('never sends again what was judged or is still open, over any sequence of runs', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (runs) => {
        let state = document();
        const paid = new Set<string>();
        for (const [number, { files, outcomes, dies }] of runs.entries()) {
          const found = Object.entries(files).map(([path, seed]) => file(path, seed));
          const plan = makePlan(basis(found, state));
          const contents = withSource(plan, 'submit').map((each) => each.content);
          for (const { sha256 } of contents) {
            expect(paid).not.toContain(sha256);
            paid.add(sha256);
          }
          const created = { submissionId: `s${number}`, createdAt: TIME, contents, assetIds: [] };
          const submissions = [created, ...openSubmissions(withSource(plan, 'open'))];
          const analysed = submissions.flatMap(({ submissionId, contents: sent }) =>
            sent.map((each) => result(each, { submissionId, outcome: outcomes[each.sha256] ?? 'judged' })),
          );
          const reused = withSource(plan, 'analysed').map((each) => result(each.content));
          const analyses = dies ? [] : [...reused, ...analysed];
          state = mergeState(joinStates([state]), { ...NO_RESULTS, submissions, analyses });
        }
      }),
    );
  });
});

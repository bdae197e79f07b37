import * as fc from 'fast-check';
import { supportedExtensions } from 'file-type';
import { describe, expect, it } from 'vitest';
import type { Content } from '../../src/media/content.ts';
import { awaitedSubmissions, makePlan, withSource } from '../../src/plan/plan.ts';
import type { Issue } from '../../src/service/issue.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { mergeState, type RunResults } from '../../src/state/merge.ts';
import { seal, signingKey, unseal } from '../../src/state/seal.ts';
import { binding, daysAgo, document, file, issue, known, knownPath, NOW, open, result, rules, sha } from './samples.ts';

function content(seed: string, ...paths: readonly string[]): Content {
  return { sha256: sha(seed), size: 10, category: 'image', paths, file: undefined, name: `${seed}.png` };
}

const NO_RESULTS: RunResults = {
  seen: new Set(),
  analyses: [],
  submissions: [],
  sidekicks: '',
  reuseDays: 90,
  now: NOW,
};

function remembered(state: Partial<StateDocument>, run: Partial<RunResults>): StateDocument {
  return mergeState(new EarlierState([document(state)]), { ...NO_RESULTS, ...run });
}

const TIME = NOW.toISOString();

function texts(length: number): Partial<Issue> {
  return {
    id: 'i'.repeat(length),
    summary: 'x'.repeat(length),
    headline: 'y'.repeat(length),
    status: 's'.repeat(length),
    ruleCode: 'r'.repeat(length),
    reportedSeverity: 't'.repeat(length),
    sidekickId: 'k'.repeat(length),
  };
}

describe('contents', () => {
  it('adds new analyses, with the time of this run', () => {
    const { contents, paths } = remembered(
      {},
      { analyses: [result(content('A', 'a.png', 'b.png'), { issues: [issue()] })] },
    );
    expect(contents).toEqual([
      known('A', {
        submissionId: 'submission-2',
        assetId: `asset-of-${sha('A')}`,
        analysedAt: TIME,
        versionNumber: 1,
        issues: [issue()],
      }),
    ]);
    expect(paths).toEqual(
      ['a.png', 'b.png'].map((path) => knownPath(path, 'A', { submissionId: 'submission-2', seenAt: TIME })),
    );
  });

  it('keeps the date of an analysis that was only read again, and takes its new statuses', () => {
    const state = { contents: [known('A', { analysedAt: daysAgo(50), issues: [issue()] })] };
    const again = { submissionId: 'submission-1', assetId: 'asset-A', issues: [issue({ status: 'DISMISSED' })] };
    const { contents } = remembered(state, { analyses: [result(content('A', 'a.png'), again)] });
    expect(contents).toMatchObject([{ analysedAt: daysAgo(50), issues: [{ status: 'DISMISSED' }] }]);
  });

  it.each([
    ['of another submission', { assetId: 'asset-A' }],
    ['of another asset', { submissionId: 'submission-1' }],
  ])('an analysis %s is a new one', (_, now) => {
    const state = { contents: [known('A', { analysedAt: daysAgo(50) })] };
    const { contents } = remembered(state, { analyses: [result(content('A', 'a.png'), now)] });
    expect(contents.map(({ analysedAt }) => analysedAt)).toEqual([TIME]);
  });

  it('keeps an analysis of the same bytes as another category', () => {
    const state = { contents: [known('A', { category: 'document' })] };
    const { contents } = remembered(state, { analyses: [result(content('A', 'a.png'))] });
    expect(contents.map(({ category }) => category)).toEqual(['document', 'image']);
  });

  it('keeps contents that did not match this time while they may be reused', () => {
    const state = {
      contents: [
        known('in use', { analysedAt: daysAgo(200) }),
        known('young', { analysedAt: daysAgo(89) }),
        known('old', { analysedAt: daysAgo(91) }),
        known('in use', { analysedAt: daysAgo(200), sidekicks: 'others' }),
      ],
      paths: [knownPath('p', 'in use', { seenAt: daysAgo(89) }), knownPath('gone', 'old', { seenAt: daysAgo(91) })],
    };
    expect(remembered(state, {}).contents.map(({ sha256, sidekicks }) => [sha256, sidekicks])).toEqual([
      [sha('young'), ''],
      [sha('in use'), ''],
    ]);
    expect(remembered(state, {}).paths.map(({ path }) => path)).toEqual(['p']);
    expect(remembered(state, { reuseDays: 365 }).contents).toHaveLength(4);
    expect(remembered(state, { reuseDays: 7 }).contents).toHaveLength(2);
  });

  it('cuts long texts and leaves out optional details', () => {
    const long = issue({ ...texts(1_000), referenceNumber: 7, reasoning: 'z', createdAt: TIME });
    const halved = issue({ summary: `${'x'.repeat(299)}😀` });
    const [learnt] = remembered({}, { analyses: [result(content('A', 'a'), { issues: [long, halved] })] }).contents;
    expect(learnt?.issues).toEqual([
      issue({ ...texts(300), referenceNumber: 7 }),
      issue({ summary: `${'x'.repeat(299)}\ufffd` }),
    ]);
  });

  it('adds no unknown field: it may be a signed address or an image', () => {
    const found = { ...issue(), frameUrl: 'https://storage.test/frame?sig=0', thumbnail: 'A'.repeat(1_000) };
    const [learnt] = remembered({}, { analyses: [result(content('A', 'a'), { issues: [found] })] }).contents;
    expect(learnt?.issues).toStrictEqual([issue()]);
  });
});

describe('paths', () => {
  const state = { contents: [known('A'), known('B')], paths: [knownPath('here', 'A'), knownPath('gone', 'B')] };

  it.each([
    ['judged', 'A', 'judged', { submissionId: 'submission-2', isPresent: true }],
    ['judged with new bytes', 'C', 'judged', { sha256: sha('C'), submissionId: 'submission-2', isPresent: true }],
    ['seen and not judged', 'A', 'unjudged', { isPresent: false }],
  ] as const)('one that was %s', (_, seed, outcome, expected) => {
    const run = { seen: new Set(['here']), analyses: [result(content(seed, 'here'), { outcome })] };
    expect(remembered(state, run).paths).toEqual([
      knownPath('here', 'A', { seenAt: TIME, ...expected }),
      // Another branch may have brought it along.
      knownPath('gone', 'B', { isPresent: false }),
    ]);
  });
});

describe('open submissions', () => {
  const sent = { submissionId: 's', createdAt: TIME, contents: [content('A', 'a'), content('B', 'b')], assetIds: [] };

  it('are kept before they have results', () => {
    const submissions = [{ ...sent, assetIds: ['x', 'y'] }];
    expect(remembered({}, { submissions }).open).toEqual([
      open('s', ['A', 'B'], { createdAt: TIME, assetIds: ['x', 'y'] }),
    ]);
  });

  it('of earlier runs are kept, without what is judged or was sent again', () => {
    const state = { open: [open('old', ['A', 'B', 'C', 'D'])] };
    const run = {
      submissions: [{ ...sent, contents: [content('A', 'a')] }],
      analyses: [result(content('A', 'a'), { submissionId: 's', outcome: 'failed' }), result(content('C', 'c'))],
    } as const;
    expect(remembered(state, run).open).toEqual([open('s', ['A'], { createdAt: TIME }), open('old', ['B', 'D'])]);
  });

  it.each([
    ['of other sidekicks', open('old', ['A'], { sidekicks: 'x' })],
    ['as another category', open('old', [], { contents: [{ sha256: sha('A'), name: 'a.xml', category: 'document' }] })],
  ])('%s stay as they are', (_, record) => {
    expect(remembered({ open: [record] }, { analyses: [result(content('A', 'a'))] }).open).toEqual([record]);
  });

  it('are dropped after seven days', () => {
    const state = {
      open: [open('old', ['A'], { createdAt: daysAgo(7) }), open('young', ['B'], { createdAt: daysAgo(6.9) })],
    };
    expect(remembered(state, {}).open.map(({ submissionId }) => submissionId)).toEqual(['young']);
  });
});

describe('merge and plan together', () => {
  const seeds = ['A', 'B', 'C', 'D', 'E', 'F'];
  const outcomes = fc.constantFrom('judged', 'failed', 'unjudged' as const);
  /** A run: the bytes at each path, and the results of what is sent. */
  const run = fc.record({
    files: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(...seeds), { noNullPrototype: true }),
    outcomes: fc.array(outcomes, { minLength: seeds.length, maxLength: seeds.length }),
    dies: fc.boolean(),
  });

  it('never sends again what was judged or is still open, over any sequence of runs', () => {
    const key = signingKey('secret');
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (runs) => {
        let state = document();
        const judged = new Set<string>();
        const opened = new Set<string>();
        for (const [number, { files, outcomes: ends, dies }] of runs.entries()) {
          const earlierState = new EarlierState([state]);
          const entries = Object.entries(files);
          const made = makePlan({
            files: entries.map(([path, seed]) => file(path, seed)),
            pointers: [],
            earlierState,
            rules: rules(),
          });
          for (const {
            content: { sha256 },
          } of withSource(made, 'submit')) {
            expect(judged).not.toContain(sha256);
            expect(opened).not.toContain(sha256);
          }
          const submission = {
            submissionId: `s${number}`,
            createdAt: TIME,
            contents: withSource(made, 'submit').map((each) => each.content),
            assetIds: [],
          };
          const submissions = [...(submission.contents.length > 0 ? [submission] : []), ...awaitedSubmissions(made)];
          const seen = new Set(Object.keys(files));
          const base: RunResults = { ...NO_RESULTS, seen, submissions };
          for (const { contents } of submissions) for (const { sha256 } of contents) opened.add(sha256);
          const analysed = submissions.flatMap(({ submissionId, contents }) =>
            contents.map((each) =>
              result(each, {
                submissionId,
                outcome: ends[seeds.findIndex((seed) => sha(seed) === each.sha256)] ?? 'judged',
              }),
            ),
          );
          const reused = withSource(made, 'reuse').map((each) => result(each.content));
          const results = dies ? base : { ...base, analyses: [...reused, ...analysed] };
          if (!dies)
            for (const {
              outcome,
              content: { sha256 },
            } of analysed)
              if (outcome === 'judged') judged.add(sha256);
          const saved = seal(mergeState(earlierState, results), binding(), key);
          const loaded = unseal(Buffer.from(saved), binding(), key);
          if (typeof loaded === 'string') throw new Error(loaded);
          state = loaded.document;
        }
      }),
    );
  });

  it.each([...supportedExtensions])('reuse every type that detection knows, in any category: %s', (extension) => {
    for (const category of ['video', 'audio', 'image', 'document'] as const) {
      const media = { ...file(`a.${extension}`, 'A'), type: { mime: 'x/y', extension, category } };
      const first = makePlan({ files: [media], pointers: [], earlierState: new EarlierState([]), rules: rules() });
      const contents = first.contents.map((each) => each.content);
      const submission = { submissionId: 's', createdAt: TIME, contents, assetIds: [] };
      for (const [run, source] of [
        [{ analyses: contents.map((each) => result(each)) }, 'reuse'],
        [{ submissions: [submission] }, 'await'],
      ] as const) {
        const earlierState = new EarlierState([remembered({}, run)]);
        const second = makePlan({ files: [media], pointers: [], earlierState, rules: rules() });
        expect(
          second.contents.map((each) => each.source.kind),
          `${source} as ${category}`,
        ).toEqual([source]);
      }
    }
  });
});

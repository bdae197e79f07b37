import { describe, expect, it } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import type { StateKind } from '../../src/state/store.ts';
import { saveFinalState, saveOpenState, withMoves } from '../../src/steps/save-state.ts';
import { NO_HISTORY } from '../../src/verdict/baseline.ts';
import type { Outcome } from '../../src/verdict/outcome.ts';
import type { Collected, Submitted } from '../../src/verdict/progress.ts';
import { content, failedBy, result, reused, type SampleRun, sent } from '../report/runs.ts';
import { daysAgo, document, knownPath } from '../state/samples.ts';
import { sampleEnvironment } from './sample-environment.ts';

const OUTAGE: Cause = { reason: 'service', message: 'm', fix: 'f' };
const RESULT = result(content('a'));

function collected({ outcome: { progress } }: SampleRun): Collected {
  if (progress.stage !== 'collected') throw new Error(progress.stage);
  return progress;
}

/** An environment whose store keeps what is saved in `file`. */
function saving(options: Parameters<typeof sampleEnvironment>[0] = {}, file = '/state.json') {
  const saved: { kind: StateKind; state: StateDocument }[] = [];
  const save = async (kind: StateKind, state: StateDocument): Promise<string> => {
    saved.push({ kind, state });
    return file;
  };
  return { saved, environment: sampleEnvironment({ ...options, store: { save } }).environment };
}

describe('the state at the end of a run', () => {
  const nothing = { submission: undefined, analysed: [], reused: [] };
  it.each<[string, Outcome, boolean]>([
    ['new results', sent([RESULT], { submission: undefined }).outcome, true],
    ['a submission without results', sent([RESULT], { analysed: [] }, failedBy(OUTAGE)).outcome, true],
    ['reused results', reused([RESULT]).outcome, true],
    ['last known results', reused([RESULT], { outage: OUTAGE }).outcome, false],
    ['last known and new results', reused([RESULT], { outage: OUTAGE, analysed: [RESULT] }).outcome, true],
    ['nothing', sent([RESULT], nothing).outcome, false],
    ['results of a cancelled run', sent([RESULT], {}, { kind: 'cancelled', causes: [OUTAGE] }).outcome, false],
  ])('%s', async (_, outcome, isSaved) => {
    const { saved, environment } = saving();
    expect(await saveFinalState(outcome, environment)).toBe(isSaved ? '/state.json' : '');
    expect(saved.map(({ kind }) => kind)).toEqual(isSaved ? ['state'] : []);
  });

  it('has what was sent, awaited and reused, under the sidekicks of this run', async () => {
    const [a, b, c] = [content('a'), content('b'), content('c')];
    const { toReuse } = collected(reused([result(c)])).plan;
    const toAwait = [{ submissionId: 's0', createdAt: new Date().toISOString(), contents: [b] }];
    const paths = ['a', 'b', 'c'].map((name) => knownPath(name, name, { sha256: name, isPresent: false }));
    const history = { ...NO_HISTORY, earlierState: new EarlierState([document({ paths })]) };
    const { plan, ...rest } = collected(sent([result(a)], { history, analysed: [], reused: [] }));
    const progress = { ...rest, plan: { ...plan, toAwait, toReuse } };
    const { saved, environment } = saving({ inputs: { 'sidekick-ids': 'cfae1b3e-4a5b-4c6d-8e7f-901234567890' } });
    await saveFinalState({ progress, ending: failedBy(OUTAGE) }, environment);
    const [{ state } = { state: document() }] = saved;
    // Submissions without results stay open; what is not judged is not present.
    expect(state.open.map(({ submissionId }) => submissionId)).toEqual(['s1', 's0']);
    expect(state.open.every(({ sidekicks }) => sidekicks !== '')).toBe(true);
    expect(state.paths.map(({ path: each, isPresent }) => `${each} ${isPresent}`)).toEqual([
      'a false',
      'b false',
      'c false',
    ]);
  });
});

describe('a submission that was just created', () => {
  const submitted: Submitted = { ...collected(sent([RESULT])), stage: 'submitted' };

  it.each([
    ['/state.json', true],
    ['', false],
  ])('is saved if the store has kept it: %o', async (file, isSaved) => {
    const { saved, environment } = saving({}, file);
    expect(await saveOpenState(submitted, environment)).toMatchObject({
      isSubmissionSaved: isSaved,
    });
    expect(saved.map(({ kind }) => kind)).toEqual(['open']);
  });

  it('follows the files that retries moved, and keeps the others', () => {
    const [a, b, c, d, e] = [content('a'), content('b'), content('c'), content('d'), content('e')];
    const awaited = [
      { submissionId: 's2', createdAt: daysAgo(1), contents: [c, d] },
      { submissionId: 's3', createdAt: daysAgo(2), contents: [e] },
    ];
    const created = { submissionId: 's1', createdAt: daysAgo(0), contents: [a, b] };
    const before = { ...submitted, submission: created, plan: { ...submitted.plan, toAwait: awaited } };
    const { submission, plan } = withMoves(
      before,
      new Map([
        [
          's1',
          [
            { submissionId: 's1', contents: [a] },
            { submissionId: 'r1', contents: [b] },
          ],
        ],
        ['s2', [{ submissionId: 'r2', contents: [c, d] }]],
      ]),
    );
    expect(submission).toEqual({ ...created, contents: [a] });
    expect(plan.toAwait).toEqual([
      { submissionId: 's2', createdAt: daysAgo(1), contents: [] },
      { submissionId: 's3', createdAt: daysAgo(2), contents: [e] },
      { submissionId: 'r1', createdAt: expect.stringMatching(/Z$/), contents: [b] },
      { submissionId: 'r2', createdAt: expect.stringMatching(/Z$/), contents: [c, d] },
    ]);
  });
});

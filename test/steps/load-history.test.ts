import { describe, expect, it } from 'vitest';
import type { MediaFile } from '../../src/media/file.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import type { LoadedStates, StateNeeds } from '../../src/state/store.ts';
import { loadHistory } from '../../src/steps/load-history.ts';
import { binding, daysAgo, document, file, known, open, pointer } from '../state/samples.ts';
import { sampleEnvironment } from './sample-environment.ts';

interface Case {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly baseBranch?: string;
  readonly files?: readonly MediaFile[];
  readonly loaded?: Partial<LoadedStates>;
}

async function load({ inputs = {}, baseBranch, files = [], loaded = {} }: Case) {
  const asked: StateNeeds[] = [];
  const { environment } = sampleEnvironment({
    inputs,
    context: { baseBranch, baseCommit: 'b'.repeat(40) },
    store: {
      load: async (needs) => {
        asked.push(needs);
        return { states: [], isFromFile: false, isLost: false, notices: [], ...loaded };
      },
    },
  });
  const history = await loadHistory(
    {
      stage: 'inspected',
      notices: ['Before.'],
      discovery: { files: [], notices: [] },
      waivers: undefined,
      inspection: { files, pointers: [pointer('lfs.png', 'lfs')], problems: [], warnings: [] },
    },
    environment,
  );
  const [needs] = asked;
  if (!needs) throw new Error('Nothing was loaded.');
  return { needs, history };
}

describe('what is asked of the state', () => {
  it.each<[string, Case, Partial<StateNeeds>]>([
    ['by default', { baseBranch: 'main' }, { canReuse: true, hasBaseline: false }],
    ['a dry run', { inputs: { 'dry-run': 'true' } }, { canReuse: false }],
    ['reuse-days: 0', { inputs: { 'reuse-days': '0' } }, { canReuse: false }],
    ['fail-on-issues: new', { inputs: { 'fail-on-issues': 'new' }, baseBranch: 'main' }, { hasBaseline: true }],
    ['fail-on-issues: new without a base', { inputs: { 'fail-on-issues': 'new' } }, { hasBaseline: false }],
  ])('%s', async (_, options, expected) => {
    expect((await load(options)).needs).toMatchObject(expected);
  });

  const analysedAt = new Date().toISOString();
  const [lfs, a] = [known('lfs', { analysedAt }), known('a', { analysedAt })];
  it.each([
    ['everything was analysed', document({ contents: [lfs, a] }), true],
    ['a file has to be sent', document({ contents: [lfs] }), false],
    ['a pointer is unknown', document({ contents: [a] }), false],
    ['a file is still open', document({ contents: [lfs], open: [open('s', ['a'], { createdAt: analysedAt })] }), false],
  ])('is enough or not if %s', async (_, state, expected) => {
    const { needs } = await load({ files: [file('a.png', 'a')] });
    expect(needs.isEnough(new EarlierState([state]))).toBe(expected);
  });
});

describe('the notices', () => {
  const state = { binding: binding({ commit: 'a'.repeat(40) }), document: document() };
  const loaded = { states: [state], isFromFile: true, notices: ['Of the state.'] };

  it('are those of every source', async () => {
    const { history } = await load({ inputs: { 'fail-on-issues': 'new' }, baseBranch: 'main', loaded });
    expect(history.notices).toEqual([
      'Before.',
      'Of the state.',
      expect.stringContaining('The state in `state-file` is of commit aaaaaaa'),
      expect.stringContaining('found no analysis of the base branch main'),
    ]);
  });

  it('need no baseline if all issues count', async () => {
    expect((await load({ loaded: { notices: ['Of the state.'] } })).history.notices).toEqual([
      'Before.',
      'Of the state.',
    ]);
  });

  it('need no notice about a baseline that is there', async () => {
    const base = { binding: binding({ commit: 'b'.repeat(40), savedAt: daysAgo(0) }), document: document() };
    const options = { inputs: { 'fail-on-issues': 'new' }, baseBranch: 'main', loaded: { states: [base] } };
    expect((await load(options)).history.notices).toEqual(['Before.']);
  });
});

import { describe, expect, it } from 'vitest';
import type { MediaFile } from '../../src/media/file.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import type { LoadedStates, StateNeeds } from '../../src/state/store.ts';
import { loadHistory } from '../../src/steps/load-history.ts';
import { document, file, known, open, pointer } from '../state/samples.ts';
import { sampleEnvironment } from './sample-environment.ts';

const NOTHING: LoadedStates = { earlierState: new EarlierState([]), baseline: undefined, isLost: false, notices: [] };

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
        return { ...NOTHING, ...loaded };
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
  const loaded = { notices: ['Of the state.'] };
  const inputs = { 'fail-on-issues': 'new' };

  it('are those of every source', async () => {
    const { history } = await load({ inputs, baseBranch: 'main', loaded });
    expect(history.notices).toEqual([
      'Before.',
      'Of the state.',
      expect.stringContaining('found no analysis of the base branch main'),
    ]);
  });

  it('need no baseline if all issues count', async () => {
    expect((await load({ loaded })).history.notices).toEqual(['Before.', 'Of the state.']);
  });

  it('need no notice about a baseline that is there', async () => {
    const { history } = await load({ inputs, baseBranch: 'main', loaded: { baseline: document() } });
    expect(history.notices).toEqual(['Before.']);
  });
});

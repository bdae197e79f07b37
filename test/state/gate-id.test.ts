import { expect, it } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { artifactNames, bindRun, gateId, gateInName } from '../../src/state/gate-id.ts';
import { binding } from '../builders/states.ts';

const GATE = { name: 'media', workflow: '.github/workflows/media.yml', job: 'gate', matrix: '' };

it.each([
  ['name', { name: 'other' }],
  ['workflow', { workflow: '.github/workflows/other.yml' }],
  ['job', { job: 'other' }],
  ['leg of a matrix', { matrix: '{"market":"DE"}' }],
  ['place where one part ends', { workflow: '.github/workflows/media.ymlgate', job: '' }],
])('a gate is another one with another %s', (_, change) => {
  expect(gateId({ ...GATE, ...change })).not.toBe(gateId(GATE));
});

const [OWN, OTHER] = ['1'.repeat(40), '2'.repeat(40)];
it.each<[string, head: string | undefined, isPull: boolean, branch: string, commit: string]>([
  ['its own commit', OWN, false, 'main', OWN],
  ['another commit', OTHER, false, '', OTHER],
  ['a commit that cannot be read', undefined, false, '', ''],
  ['the merge commit of its pull request', OTHER, true, 'main', OWN],
])('the signed branch and commit of a run that has checked out %s', (_, head, isPull, branch, commit) => {
  const pullRequest = isPull ? { isFork: false } : undefined;
  const context = { ...readContext({}), branch: 'main', eventCommit: OWN, pullRequest, head };
  expect(bindRun(GATE, context, { mode: 'live', apiKeyId: 'x' })).toMatchObject({ branch, commit });
});

it.each([
  ['state', 'a push', {}],
  ['state', 'a schedule', { event: 'schedule' }],
  ['pull', 'an unknown branch', { branch: '' }],
  ['pull', 'a tag', { branch: 'refs/tags/v1' }],
  ['pull', 'a merge group', { event: 'merge_group' }],
  ['pull', 'a pull request', { event: 'pull_request' }],
  ['pull', 'a comment', { event: 'issue_comment' }],
  ['pull', 'a run that follows another', { event: 'workflow_run' }],
] as const)('the name under which a run ends is %s: %s', (word, _, changes) => {
  expect(artifactNames('media', binding(changes)).end).toContain(`media-${word}-`);
});

it('each gate and kind of key has three names, which end in their hash', () => {
  const gates = [{}, { gate: 'beef' }, { mode: 'sandbox' } as const];
  const names = gates.flatMap((change) => artifactNames('media', binding(change)).all);
  expect(new Set(names).size).toBe(9);
  expect(names.map(gateInName)).toEqual(names.map((name) => name.slice(-16)));
  expect(gateInName('media-report-0123456789abcdef')).toBeUndefined();
});

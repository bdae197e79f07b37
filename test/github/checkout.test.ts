import path from 'node:path';
import { expect } from 'vitest';
import { assertHeadCheckedOut, readHeadWithin } from '../../src/github/checkout.ts';
import type { RunContext } from '../../src/github/context.ts';
import type { GateError } from '../../src/lib/cause.ts';
import { it } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';

const [BASE, HEAD, OTHER] = ['b'.repeat(40), 'a'.repeat(40), 'c'.repeat(40)] as const;

const LONG = 'd'.repeat(64);
const ON_BRANCH = 'ref: refs/heads/changes\n';
const LOOSE = { '.git/HEAD': ON_BRANCH, '.git/refs/heads/changes': `${HEAD}\n` };
const PACKED = `${OTHER} refs/heads/changes-2\n${HEAD} refs/heads/changes\n`;

/** Returns the message of the check of a `pull_request_target` run, or "fine". */
async function verdictOf(
  searchRoot: string,
  headSha: string,
  { parents = [], ...changes }: Partial<RunContext> & { readonly parents?: readonly string[] } = {},
): Promise<string> {
  const pullRequest = { number: 7, isFork: true, isDependabot: false, headSha };
  const event = { event: 'pull_request_target', followedEvent: undefined, isPayloadIncomplete: false, ...changes };
  const run = { ...event, eventCommit: headSha, searchRoot, pullRequest };
  return await assertHeadCheckedOut(run, { parentsOf: async () => parents }).then(
    () => 'fine',
    (error: GateError) => error.message,
  );
}

it.for([
  ['with an incomplete payload', { isPayloadIncomplete: true }, 'does not say what the event is about'],
  ['after pull_request_target', { event: 'workflow_run', followedEvent: 'pull_request_target' }, 'does not name the'],
  ['at another commit', { event: 'workflow_run' }, 'neither the head of the pull request'],
  ['without the secrets of the base', { event: 'pull_request' }, 'fine'],
] as const)('an event %s', async ([, changes, expected], { makeFolder }) => {
  expect(await verdictOf(await makeFolder({ '.git/HEAD': OTHER }), HEAD, changes)).toContain(expected);
});

it.for([
  ['its base and its head', [BASE, HEAD], true],
  ['another head and its base', [BASE, OTHER], false],
  ['the head before the base', [HEAD, BASE], false],
  ['three parents', [BASE, HEAD, OTHER], false],
] as const)('whether a commit with %s is its merge', async ([, parents, isMerge], { makeFolder }) => {
  const root = await makeFolder({ '.git/HEAD': OTHER });
  const expected = isMerge ? /^fine$/ : /neither the head of the pull request/;
  expect(await verdictOf(root, HEAD, { parents })).toMatch(expected);
});

it.for([
  ['inside', 'inside/a', HEAD],
  ['', 'inside/a', HEAD],
  ['', 'bare/a', OTHER],
  ['bare', 'bare/a', undefined],
  ['bare', 'bare', undefined],
] as const)('in the workspace "%s", the folder %s is at %s', async ([workspace, folder, head], { makeFolder }) => {
  const checkouts = { '.git/HEAD': OTHER, 'inside/.git/HEAD': HEAD };
  const root = await makeFolder({ ...checkouts, 'inside/a/b.txt': 'b', 'bare/a/b.txt': 'b' });
  expect(await readHeadWithin(path.join(root, folder), path.join(root, workspace))).toBe(head);
});

it.for<[string, Files, head?: string]>([
  ['a long hash', { '.git/HEAD': `${LONG}\n` }, LONG],
  ['a branch beside one whose name begins like it', { '.git/HEAD': ON_BRANCH, '.git/packed-refs': PACKED }, HEAD],
  ['a branch that was packed before', { ...LOOSE, '.git/packed-refs': `${OTHER} refs/heads/changes\n` }, HEAD],
  ['an empty HEAD', { '.git/HEAD': '' }],
  ['nonsense', { '.git/HEAD': 'nonsense' }],
  ['a branch that does not exist', { '.git/HEAD': ON_BRANCH }],
  ['a folder of the checkout', { 'a.png': 'a' }],
  ['a submodule', { '.git': 'gitdir: ../.git/modules/library\n' }],
])('the commit of %s', async ([, files, head], { makeFolder }) => {
  const expected = head === undefined ? /not the root of a Git checkout/ : /^fine$/;
  expect(await verdictOf(await makeFolder(files), head ?? HEAD)).toMatch(expected);
});

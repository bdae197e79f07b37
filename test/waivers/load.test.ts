import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { loadWaivers } from '../../src/waivers/waivers-file.ts';
import { it as test } from '../harness/fixtures.ts';

const FILE = '.github/waivers.yml';
const BASE = 'b'.repeat(40);
const UNKNOWN = { checkoutRoot: undefined, head: undefined };
const PLACE = { ...UNKNOWN, file: FILE, workspace: '/', baseCommit: undefined, commit: '', event: '' };
const PULL = { event: 'pull_request', baseCommit: BASE };

function entry(rule: string, changes: Readonly<Record<string, string>> = {}): string {
  const fields = { path: 'a.png', owner: 'legal', reason: 'agreed', expires: '2999-01-01', ...changes };
  return `- ${JSON.stringify({ rule, ...fields })}\n`;
}

interface Case {
  readonly here?: string;
  /** The waivers file of the base commit. */
  readonly base?: string | Error;
  /** The run is a branch run, so there is no base commit. */
  readonly isBranch?: boolean;
  readonly arrange?: (file: string) => Promise<unknown>;
}

const it = test.extend('load', ({ makeFolder }) => async ({ here, base, isBranch, arrange }: Case) => {
  const root = await makeFolder({
    'checkout/.git/HEAD': '',
    'checkout/.github/readme': '',
    'checkout/real.yml': entry('AD-1'),
    'checkout-too/waivers.yml': entry('AD-1'),
    ...(here !== undefined && { [`checkout/${FILE}`]: here }),
  });
  const searchRoot = path.join(root, 'checkout');
  await arrange?.(path.join(searchRoot, FILE));
  const textAt = async (name: string, commit = ''): Promise<string | undefined> => {
    expect([name, commit]).toEqual([FILE, BASE]);
    if (base instanceof Error) throw base;
    return base;
  };
  const place = { ...PLACE, searchRoot, checkoutRoot: searchRoot, ...(!isBranch && PULL) };
  const { waivers, proposed = [], whyNoneCounts } = await loadWaivers(place, { textAt });
  const rules = [
    ...waivers.map(({ rule }) => rule),
    ...proposed.map(({ rule, line, owner, expires, path: file }) => asProposed(rule, line, owner, expires, file)),
  ];
  return whyNoneCounts ? [...rules, whyNoneCounts] : rules;
});

function asProposed(rule: string, line: number, owner = 'legal', expires = '2999-01-01', file = 'a.png'): string {
  return `proposed: ${rule} for ${file} (line ${line}, owner ${owner}, until ${expires})`;
}

const RULES = ['AD-1', 'AD-2', 'AD-3', 'AD-4', 'AD-5'];
const CHANGES = [{}, { reason: 'changed' }, { expires: '3000-01-01' }, { owner: 'sales' }, { path: 'b.png' }];
const BROKEN =
  'the waivers file of the base commit is wrong. Correct it in a pull request of its own. Line 1: `rule` is missing.';
const NO_FILE = 'It is not a file in the repository';
const LIMIT = 256 * 1024;
const link = (target: string): Case => ({ isBranch: true, arrange: async (file) => await symlink(target, file) });

// biome-ignore format: a table
it.for<[string, Case, readonly string[] | string | RegExp]>([
  ['a waiver that a pull request adds is proposed', { here: entry('AD-1') + entry('AD-2'), base: entry('AD-1') },
    ['AD-1', asProposed('AD-2', 2)]],
  ['a waiver that a pull request changes counts as on the base, and the change is proposed',
    { here: RULES.map((rule, index) => entry(rule, CHANGES[index])).join(''),
      base: RULES.map((rule) => entry(rule)).join('') },
    [...RULES, asProposed('AD-2', 2), asProposed('AD-3', 3, 'legal', '3000-01-01'), asProposed('AD-4', 4, 'sales'),
      asProposed('AD-5', 5, 'legal', '2999-01-01', 'b.png')]],
  ['a waiver that a pull request removes still counts', { here: '', base: entry('AD-1') }, ['AD-1']],
  ['a waivers file that a pull request removes still counts', { base: entry('AD-1') }, ['AD-1']],
  ['the waivers of a new file are proposed', { here: entry('AD-1') }, [asProposed('AD-1', 1)]],
  ['a file that is broken in the base does not block its fix', { here: entry('AD-1'), base: '- x' }, [BROKEN]],
  ['a file that is broken here', { here: '- x', base: entry('AD-1') }, /^\.github\/waivers\.yml: Line 1: /],
  ['a commit without the file has no waivers', {}, []],
  ['a branch without the file has no waivers', { isBranch: true }, []],
  ['a file that cannot be opened', link('waivers.yml'), /It cannot be read \(ELOOP/],
  ['a run that stops', { here: '', base: new Error('stopped') }, 'stopped'],
  ['a link within the checkout', link('../real.yml'), ['AD-1']],
  ['a link out of the checkout', link('../../checkout-too/waivers.yml'), NO_FILE],
  ['a folder', { isBranch: true, arrange: async (file) => await mkdir(file) }, NO_FILE],
  ['a pipe', { isBranch: true, arrange: async (file) => execFileSync('mkfifo', [file]) }, NO_FILE],
  ['a file that is just small enough', { isBranch: true, here: '#'.repeat(LIMIT) }, []],
  ['a file that is too large', { isBranch: true, here: '#'.repeat(LIMIT + 1) }, 'It is larger than 256 KiB.'],
])('%s', async ([, given, expected], { load }) => {
  if (typeof expected === 'object' && !(expected instanceof RegExp)) expect(await load(given)).toEqual(expected);
  else await expect(load(given)).rejects.toThrow(expected);
});

it.for<[string, root: string | undefined, string]>([
  ['a folder of the checkout', '/checkout', 'apps/site/waivers.yml'],
  ['the checkout itself', '/checkout/apps/site', 'waivers.yml'],
  ['a workspace without `.git`', undefined, 'apps/site/waivers.yml'],
])('working-directory is %s: GitHub is asked from the root', async ([, checkoutRoot, expected]) => {
  const folders = { workspace: '/checkout', searchRoot: '/checkout/apps/site', checkoutRoot };
  const asked: string[] = [];
  const textAt = async (name: string): Promise<string> => {
    asked.push(name);
    return '';
  };
  await loadWaivers({ ...PLACE, ...PULL, ...folders, file: 'waivers.yml' }, { textAt });
  expect(asked).toEqual([expected]);
});

it.for<[event: string, head: string, rule: string]>([
  ['push', 'c', 'HERE'],
  ['schedule', 'c', 'HERE'],
  ['workflow_dispatch', 'c', 'HERE'],
  ['workflow_dispatch', 'other', 'MAIN'],
  ['issue_comment', 'c', 'MAIN'],
  ['release', 'c', 'MAIN'],
  ['workflow_run', 'c', 'MAIN'],
])('the waivers of the checkout or of the default branch count: %s at %s', async (row, { makeFolder }) => {
  const [event, head, rule] = row;
  const searchRoot = await makeFolder({ 'waivers.yml': entry('HERE') });
  const place = { ...PLACE, file: 'waivers.yml', searchRoot, commit: 'c', event, head };
  const { waivers } = await loadWaivers(place, { textAt: async () => entry('MAIN') });
  expect(waivers.map((waiver) => waiver.rule)).toEqual([rule]);
});

it('a checkout that is itself behind a link is read', async ({ makeFolder }) => {
  const root = await makeFolder({ 'real/waivers.yml': entry('AD-1') });
  const searchRoot = path.join(root, 'link');
  await symlink('real', searchRoot);
  const place = { ...PLACE, file: 'waivers.yml', searchRoot };
  expect((await loadWaivers(place, { textAt: async () => undefined })).waivers).toHaveLength(1);
});

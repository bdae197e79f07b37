import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { PullRequest, RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import type { Discovery } from './file.ts';
import { type Checkout, checkoutAt, headOf } from './git-head.ts';

type Place = Pick<RunContext, 'event' | 'pullRequest' | 'workspace'>;
type Commits = Pick<GitHubApi, 'parentsOf'>;

/** What `actions/checkout` has to be given where it would take the base branch. */
const HEAD_REF: Readonly<Record<string, string>> = {
  pull_request_target: '${{ github.event.pull_request.head.sha }}',
  workflow_run: '${{ github.event.workflow_run.head_sha }}',
};

/**
 * Under these events a plain checkout is the base branch: its media would pass, and those of the pull request would
 * never be seen. So the files must come from the pull request's head or its merge commit.
 */
export async function assertHeadCheckedOut(discovery: Discovery, place: Place, commits: Commits): Promise<void> {
  const ref = HEAD_REF[place.event];
  if (ref === undefined || (place.event === 'workflow_run' && !place.pullRequest)) return;
  const fix = `Before this step, check out the pull request: \`actions/checkout\` with \`ref: ${ref}\`. Run nothing that it brings along: this job has secrets.`;
  const fail = (message: string, file?: string): GateError =>
    new GateError({ reason: 'checkout', message, fix, ...(file !== undefined && { path: file }) });
  const { pullRequest } = place;
  if (!pullRequest) throw fail('The event does not tell which pull request is to be checked.');

  if (discovery.files.length === 0) {
    await assertAnyAtHead(place.workspace, pullRequest, commits, fail);
    return;
  }
  const checkouts = new Map<string, Checkout>();
  const around = enclosing(place.workspace);
  for (const file of discovery.files) {
    const checkout = await around(path.posix.dirname(file.path));
    if (!checkout) throw fail('The file is in no Git checkout, so nobody can tell which commit it is from.', file.path);
    checkouts.set(checkout.root, checkout);
  }
  for (const checkout of checkouts.values()) {
    const problem = await notAtHead(checkout, pullRequest, commits);
    if (problem !== undefined) throw fail(problem);
  }
}

type Fail = (message: string) => GateError;

/** That nothing matches must be said of the pull request's files, not of the base's. */
async function assertAnyAtHead(
  workspace: string,
  pullRequest: PullRequest,
  commits: Commits,
  fail: Fail,
): Promise<void> {
  const folders = await readdir(workspace, { withFileTypes: true });
  // `path` of actions/checkout is often one folder down.
  const roots = [
    workspace,
    ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(workspace, name)),
  ];
  const problems: string[] = [];
  for (const root of roots) {
    const checkout = await checkoutAt(root);
    if (!checkout) continue;
    const problem = await notAtHead(checkout, pullRequest, commits);
    if (problem === undefined) return;
    problems.push(problem);
  }
  throw fail(problems[0] ?? 'There is no Git checkout in the workspace, so nobody can tell which commit it holds.');
}

/** Finds the checkout that a directory belongs to; each directory is looked at once. */
function enclosing(workspace: string): (directory: string) => Promise<Checkout | undefined> {
  const known = new Map<string, Promise<Checkout | undefined>>();
  const look = async (directory: string): Promise<Checkout | undefined> =>
    (await checkoutAt(path.join(workspace, directory))) ??
    (directory === '.' ? undefined : await find(path.posix.dirname(directory)));
  const find = async (directory: string): Promise<Checkout | undefined> => {
    const found = known.get(directory) ?? look(directory);
    known.set(directory, found);
    return await found;
  };
  return find;
}

/** Undefined where the checkout is at the head or at its merge with the base; else what is wrong. */
async function notAtHead(
  checkout: Checkout,
  { headSha }: PullRequest,
  commits: Commits,
): Promise<Cause['message'] | undefined> {
  const head = await headOf(checkout);
  if (head === undefined) return 'The commit that is checked out cannot be read from the Git files in the workspace.';
  if (head === headSha) return undefined;
  const wrong = `The workspace holds commit ${head.slice(0, 7)}, and that is neither the head of the pull request (${headSha.slice(0, 7)}) nor its merge with the base`;
  try {
    // The payload names a merge commit too, but after a push that is still the one of the head before.
    const [, merged, ...more] = await commits.parentsOf(head);
    return merged === headSha && more.length === 0 ? undefined : `${wrong}.`;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return error.trouble === 'not-found'
      ? `${wrong}.`
      : `The workspace holds commit ${head.slice(0, 7)}, and whether that is the merge of the pull request is not known. ${error.message}`;
  }
}

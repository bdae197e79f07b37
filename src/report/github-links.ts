import { html, safeHref } from '../lib/escape.ts';
import type { Report } from './report.ts';

/** Addresses on GitHub of what a run was about. Undefined outside a runner: then a reader sees the plain text. */

type Run = Report['run'];

function repositoryUrl({ serverUrl, repository }: Run): string | undefined {
  return serverUrl && repository ? `${serverUrl}/${repository}` : undefined;
}

/** As the event names it, because Gitea's differs; the event of a `workflow_run` does not name it. */
function pullRequestUrl(run: Run): string | undefined {
  return run.pullRequest && (run.pullRequest.url ?? below(run, `pull/${run.pullRequest.number}`));
}

/** The branch or tag. A fork's branch is in another repository. */
function branchUrl(run: Run): string | undefined {
  const name = (run.branch ?? '').replace(/^refs\/(?:heads|tags)\//, '');
  return name.includes(':') ? undefined : below(run, `tree/${encodePath(name)}`, name);
}

/** The file as it was checked. */
export function fileAtCommitUrl(run: Run, path: string): string | undefined {
  // The merge commit that is checked out in a pull request is removed after a while.
  const commit = run.pullRequest?.headCommit ?? run.commit;
  return below(run, `blob/${commit}/${encodePath(path)}`, commit);
}

/** The place of a file among the changes of the pull request, where GitHub compares it with the base. */
export function comparisonUrl(run: Run, sha256OfPath: string): string | undefined {
  const page = pullRequestUrl(run);
  return page && `${page}/files#diff-${sha256OfPath}`;
}

function below(run: Run, rest: string, needed = 'x'): string | undefined {
  const repository = repositoryUrl(run);
  return repository === undefined || needed === '' ? undefined : `${repository}/${rest}`;
}

/** Relative, and encoded so that no character of a name means anything in a URI. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** A link in HTML, on a page or in Markdown; the text alone if the address may not be followed. */
export function link(url: string | undefined, inner: string): string {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}

/** Pages for the people who are asked, each after a few words: for those who meet a red check, and for owners. */
export function waysOn(report: Report): readonly (readonly [intro: string, text: string, url: string])[] {
  const { docs, reason, isPassing, nextSteps } = report;
  if (docs === undefined || reason === '') return [];
  const isForAuthor = !isPassing && nextSteps.some(({ actor }) => actor !== 'workflow owner');
  const redCheck = ['New to this check?', 'My pull request is red: what now?', `${docs}/red-check.md`] as const;
  const troubleshooting = [
    'Owners of the workflow:',
    'troubleshooting',
    `${docs}/troubleshooting.md#${reason}`,
  ] as const;
  return [...(isForAuthor ? [redCheck] : []), troubleshooting];
}

type Place = readonly [text: string, url: string | undefined];

/** What was checked, from the gate to the commit: each part with its address. */
export function placesOf({ gate, run }: Report): readonly Place[] {
  const branch = (run.branch ?? run.ref).replace(/^refs\/(?:heads|tags)\//, '');
  const places: readonly Place[] = [
    [gate, undefined],
    [run.repository, repositoryUrl(run)],
    run.pullRequest ? [`pull request #${run.pullRequest.number}`, pullRequestUrl(run)] : [branch, branchUrl(run)],
    [run.commit && `commit ${run.commit.slice(0, 7)}`, below(run, `commit/${run.commit}`, run.commit)],
  ];
  return places.filter(([text]) => text !== '');
}

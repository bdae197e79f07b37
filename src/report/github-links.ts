import { html, safeHref } from '../lib/escape.ts';
import type { Report } from './report.ts';

/** Addresses on GitHub of what a run was about. Undefined outside a runner: then a reader sees the plain text. */

type Run = Report['run'];

/** The repository, or a page below it. */
function repositoryUrl({ serverUrl, repository }: Run, page = ''): string | undefined {
  return serverUrl && repository ? `${serverUrl}/${repository}${page}` : undefined;
}

/** As the event names it, because Gitea's differs; the event of a `workflow_run` does not name it. */
function pullRequestUrl(run: Run): string | undefined {
  return run.pullRequest && (run.pullRequest.url ?? repositoryUrl(run, `/pull/${run.pullRequest.number}`));
}

/** The file as it was checked. */
export function fileAtCommitUrl(run: Run, path: string): string | undefined {
  // The merge commit that is checked out in a pull request is removed after a while.
  const commit = run.pullRequest?.headCommit ?? run.commit;
  return repositoryUrl(run, `/blob/${commit}/${encodePath(path)}`);
}

/** The place of a file among the changes of the pull request, where GitHub compares it with the base. */
export function comparisonUrl(run: Run, sha256OfPath: string): string | undefined {
  const page = pullRequestUrl(run);
  return page && `${page}/files#diff-${sha256OfPath}`;
}

/** The place of an issue in the report page; undefined if the page was not uploaded. */
export function placeInReport(reportUrl: string | undefined, issueId: string): string | undefined {
  return reportUrl && `${reportUrl}#at=${issueId}`;
}

/** The path as a relative URI in which no character has a special meaning. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** A link in HTML, which Markdown allows. Only the text if the address is not safe to follow. */
export function link(url: string | undefined, inner: string): string {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}

/** Pages of the docs for the people who have to act: authors who meet a red check, and owners of the workflow. */
export function helpLinks(report: Report): readonly (readonly [intro: string, text: string, url: string])[] {
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

type Breadcrumb = readonly [text: string, url: string | undefined];

/** What was checked, from the gate to the commit, each part with its address. */
export function breadcrumbs({ gate, run }: Report): readonly Breadcrumb[] {
  const branch = (run.branch ?? run.ref).replace(/^refs\/(?:heads|tags)\//, '');
  // A fork's branch is in another repository.
  const isHere = run.branch !== undefined && !branch.includes(':');
  const branchUrl = isHere ? repositoryUrl(run, `/tree/${encodePath(branch)}`) : undefined;
  const parts: readonly Breadcrumb[] = [
    [gate, undefined],
    [run.repository, repositoryUrl(run)],
    run.pullRequest ? [`pull request #${run.pullRequest.number}`, pullRequestUrl(run)] : [branch, branchUrl],
    [run.commit && `commit ${run.commit.slice(0, 7)}`, repositoryUrl(run, `/commit/${run.commit}`)],
  ];
  return parts.filter(([text]) => text !== '');
}

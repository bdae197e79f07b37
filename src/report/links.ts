import { html, safeHref } from '../lib/escape.ts';
import type { Report } from './report.ts';

/** The links of reports. Without a repository, addresses at GitHub are undefined, and reports show plain text. */

type Run = Report['run'];

function repositoryUrl({ serverUrl, repository }: Run, page = ''): string | undefined {
  return repository === '' ? undefined : `${serverUrl}/${repository}${page}`;
}

/** Prefers the address in the event, because Gitea's addresses differ. A `workflow_run` event contains no address. */
function pullRequestUrl(run: Run): string | undefined {
  return run.pullRequest && (run.pullRequest.url ?? repositoryUrl(run, `/pull/${run.pullRequest.number}`));
}

/** GitHub wants paths from the top of the repository, but the gate shows them as `working-directory` has them. */
export function repositoryPath({ folder }: Run, path: string): string {
  return `${folder}${path}`;
}

export function fileAtCommitUrl(run: Run, path: string): string | undefined {
  // A submodule has no page in this repository.
  if (path.endsWith('/')) return undefined;
  // GitHub removes the merge commit of a pull request after a while, so the link uses the head commit.
  const commit = run.pullRequest?.headCommit ?? run.commit;
  return repositoryUrl(run, `/blob/${commit}/${encodePath(repositoryPath(run, path))}`);
}

export function comparisonUrl(run: Run, sha256OfPath: string): string | undefined {
  const page = pullRequestUrl(run);
  return page && `${page}/files#diff-${sha256OfPath}`;
}

/** The path as a relative URI in which no character has a special meaning. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** A link in HTML, which Markdown allows. Returns only the text if the address is missing or not safe to follow. */
export function link(url: string | undefined, inner: string): string {
  const href = url === undefined ? undefined : safeHref(url);
  return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}

/** Pages of the docs for the people who have to act: authors who meet a red check, and owners of the workflow. */
export function helpLinks(report: Report): readonly (readonly [intro: string, text: string, url: string])[] {
  const { docs, reason, isPassing, nextSteps } = report;
  if (docs === undefined || reason === '') return [];
  const isForAuthor = !isPassing && nextSteps.some(({ actor }) => actor !== 'workflow owner');
  const redCheck = ['New to this check?', 'The check is red: what now?', `${docs}/red-check.md`] as const;
  return [
    ...(isForAuthor ? [redCheck] : []),
    ['Owners of the workflow:', 'troubleshooting', `${docs}/troubleshooting.md#${reason}`],
  ];
}

/** The parts that name what was checked, from the gate to the commit, each with its address. */
export function breadcrumbs({ gate, run }: Report): readonly (readonly [text: string, url: string | undefined])[] {
  const { pullRequest } = run;
  const branch = run.branch.replace(/^refs\/(?:heads|tags)\//, '');
  const parts = [
    [gate, undefined],
    [run.repository, repositoryUrl(run)],
    [pullRequest ? `pull request #${pullRequest.number}` : branch, pullRequestUrl(run)],
    [run.commit && `commit ${run.commit.slice(0, 7)}`, repositoryUrl(run, `/commit/${run.commit}`)],
  ] as const;
  return parts.filter(([text]) => text !== '');
}

/** The breadcrumbs, the run, and the ids that the service's support asks for, each with its address. */
export function runLinks(report: Report): ReturnType<typeof breadcrumbs> {
  const { run, judgedAt, submission } = report;
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  return [
    ...breadcrumbs(report),
    [`run of ${when}`, run.url],
    ...(submission.id === '' ? [] : [[`submission ${submission.id} ${submission.status}`, undefined] as const]),
    ...(submission.workflowId === undefined ? [] : [[`workflow ${submission.workflowId}`, undefined] as const]),
  ];
}

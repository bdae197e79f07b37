import { html, safeHref } from '../lib/escape.ts';
import type { Report } from './report.ts';

/** The links of reports. Without a repository, addresses at GitHub are undefined, and reports show plain text. */

type Run = Report['run'];
type Link = readonly [text: string, url: string | undefined];

function repositoryUrl({ serverUrl, repository }: Run, page = ''): string | undefined {
  return repository === '' ? undefined : `${serverUrl}/${repository}${page}`;
}

export function fileAtCommitUrl(run: Run, path: string): string | undefined {
  // GitHub removes the merge commit of a pull request after a while, so the link uses the head commit.
  const commit = run.pullRequest?.headCommit ?? run.commit;
  return repositoryUrl(run, `/blob/${commit}/${encodePath(run.folder + path)}`);
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

/** The page of the docs for the one who has to act first: for the author its top, for others the section of the reason. */
export function helpUrl({ docs, reason, nextSteps: [first] }: Report): string | undefined {
  if (docs === undefined || reason === '') return undefined;
  return `${docs}/red-check.md${first?.actor === 'author' ? '' : `#${reason}`}`;
}

/** What was checked, from the repository to the commit, and the run, each with its address. */
export function runLinks({ run, judgedAt }: Report): readonly Link[] {
  const { pullRequest } = run;
  const branch = run.branch.replace(/^refs\/(?:heads|tags)\//, '');
  const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  const parts: readonly Link[] = [
    [run.repository, repositoryUrl(run)],
    pullRequest
      ? // Gitea's address is another one. A `workflow_run` event contains no address.
        [`pull request #${pullRequest.number}`, pullRequest.url ?? repositoryUrl(run, `/pull/${pullRequest.number}`)]
      : [branch, undefined],
    [run.commit && `commit ${run.commit.slice(0, 7)}`, repositoryUrl(run, `/commit/${run.commit}`)],
    [`run of ${when}`, run.url],
  ];
  return parts.filter(([text]) => text !== '');
}

import { html, safeHref } from '../lib/escape.ts';
import type { Report } from './report.ts';

/** Addresses on GitHub of what a run was about. Undefined outside a runner: then a reader sees the plain text. */

type Run = Report['run'];

export function repositoryUrl({ serverUrl, repository }: Run): string | undefined {
  return serverUrl && repository ? `${serverUrl}/${repository}` : undefined;
}

/** In a pull request the head: the merge commit that is checked out there is removed after a while. */
function lastingCommit({ pullRequest, commit }: Run): string {
  return pullRequest?.headCommit ?? commit;
}

export function commitUrl(run: Run): string | undefined {
  return below(run, `commit/${run.commit}`, run.commit);
}

export function pullRequestUrl(run: Run): string | undefined {
  return run.pullRequest && below(run, `pull/${run.pullRequest.number}`);
}

/** The branch or tag. A fork's branch is in another repository. */
export function branchUrl(run: Run): string | undefined {
  const name = (run.branch ?? '').replace(/^refs\/(?:heads|tags)\//, '');
  return name.includes(':') ? undefined : below(run, `tree/${encodePath(name)}`, name);
}

/** The file as it was checked. */
export function fileAtCommitUrl(run: Run, path: string): string | undefined {
  const commit = lastingCommit(run);
  return below(run, `blob/${commit}/${encodePath(path)}`, commit);
}

/** The place of a file among the changes of the pull request, where GitHub compares it with the base. */
export function comparisonUrl(run: Run, sha256OfPath: string): string | undefined {
  return run.pullRequest && below(run, `pull/${run.pullRequest.number}/files#diff-${sha256OfPath}`);
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

/** A link to the page about the reason; empty without a reason, or if the address of the docs is not known. */
export function moreAbout({ reason, docs }: Pick<Report, 'reason' | 'docs'>): string {
  if (reason === '' || docs === undefined) return '';
  return `More about <code>${reason}</code>: ${link(`${docs}/troubleshooting.md#${reason}`, 'troubleshooting')}.`;
}

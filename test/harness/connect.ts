import { createGitHubApi, type GitHubApi } from '../../src/github/api.ts';
import type { GitHubOptions } from '../../src/github/connect.ts';
import { GitHubError } from '../../src/github/connect.ts';
import type { GitHubServer } from './github-server.ts';

/** The client of src/, with pauses of 1 ms between tries. */
export function connect(github: GitHubServer, options: Partial<GitHubOptions> = {}): GitHubApi {
  return createGitHubApi({
    token: github.token,
    apiUrl: github.url,
    repository: 'acme/campaigns',
    signal: new AbortController().signal,
    pause: () => 1,
    clean: (value) => value,
    ...options,
  });
}

export async function troubleOf(work: Promise<unknown>): Promise<GitHubError> {
  const error: unknown = await work.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitHubError)) throw new Error(`Not a GitHubError: ${String(error)}`);
  return error;
}

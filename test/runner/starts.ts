import { type PullRequestFacts, pullRequestEvent, pushEvent, type WorkflowEvent } from './events.ts';
import type { Files, HostedRepository } from './hosted-repository.ts';

/** Prepares the repository for an event, and returns the event. */
export type Start = (repository: HostedRepository) => Promise<WorkflowEvent>;

/** A different document for each name. */
export function pdf(name: string): string {
  return `%PDF-1.7\n% ${name}\n`;
}

export function documents(...paths: readonly string[]): Files {
  return Object.fromEntries(paths.map((path) => [path, pdf(path)]));
}

export const pushMain: Start = async (repository) => pushEvent(await repository.head());
export const samePullRequest: Start = async (repository) => pullRequestEvent(latest(repository));
export const mergePullRequest: Start = async (repository) => await repository.merge(latest(repository));

export function openWith(file: string, from: PullRequestFacts['from'] = 'branch'): Start {
  return async (repository) => pullRequestEvent(await repository.openPullRequest(documents(file), from));
}

export function latest({ pullRequests }: HostedRepository): PullRequestFacts {
  const pull = pullRequests.at(-1);
  if (!pull) throw new Error('No pull request was opened.');
  return pull;
}

export const TWO_FILES = documents('media/brand/logo.pdf', 'media/legal/terms.pdf');

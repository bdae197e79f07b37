import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** Where and why the workflow runs, as the runner tells it. */
export interface RunContext {
  /** owner/name */
  readonly repository: string;
  readonly repositoryId: string;
  readonly isPublic: boolean;
  readonly commit: string;
  /** refs/heads/main, refs/pull/7/merge, … */
  readonly ref: string;
  readonly event: string;
  readonly runId: string;
  readonly runUrl: string;
  readonly workspace: string;
  readonly temp: string;
  readonly pullRequest: PullRequest | undefined;
  readonly actor: string;
}

export interface PullRequest {
  readonly number: number;
  readonly headSha: string;
  readonly headRef: string;
  readonly baseSha: string;
  readonly baseRef: string;
  /** Its head is in another repository: no secrets are given, and no write permission. */
  readonly isFork: boolean;
}

const Branch = v.object({
  ref: v.string(),
  sha: v.string(),
  repo: v.nullish(v.object({ id: v.number() })),
});

const EventPayload = v.object({
  repository: v.optional(
    v.object({ id: v.number(), private: v.optional(v.boolean()), visibility: v.optional(v.string()) }),
  ),
  pull_request: v.optional(v.object({ number: v.number(), head: Branch, base: Branch })),
});
type EventPayload = v.InferOutput<typeof EventPayload>;

/** Reads the runner's variables and the event's payload. Outside a runner everything has a harmless value. */
export function readContext(env: NodeJS.ProcessEnv): RunContext {
  const payload = readPayload(env['GITHUB_EVENT_PATH']);
  const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const runId = env['GITHUB_RUN_ID'] ?? '';
  return {
    repository,
    repositoryId: env['GITHUB_REPOSITORY_ID'] ?? String(payload.repository?.id ?? ''),
    isPublic: payload.repository?.visibility === 'public' || payload.repository?.private === false,
    commit: env['GITHUB_SHA'] ?? '',
    ref: env['GITHUB_REF'] ?? '',
    event: env['GITHUB_EVENT_NAME'] ?? '',
    runId,
    runUrl: repository && runId ? `${server}/${repository}/actions/runs/${runId}` : '',
    workspace: env['GITHUB_WORKSPACE'] ?? process.cwd(),
    temp: env['RUNNER_TEMP'] ?? '',
    pullRequest: pullRequestOf(payload),
    actor: env['GITHUB_ACTOR'] ?? '',
  };
}

function readPayload(path: string | undefined): EventPayload {
  if (!path) return {};
  try {
    const parsed = v.safeParse(EventPayload, JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}

function pullRequestOf({ pull_request: pull, repository }: EventPayload): PullRequest | undefined {
  if (!pull) return undefined;
  return {
    number: pull.number,
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    baseSha: pull.base.sha,
    baseRef: pull.base.ref,
    // A head without a repository is a fork that was deleted.
    isFork: pull.head.repo?.id !== (pull.base.repo?.id ?? repository?.id),
  };
}

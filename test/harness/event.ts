import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Workspace } from '../../emulator/emulator.ts';
import type { GitHubServer } from './github-server.ts';
import { type GateRun, runGate } from './run-action.ts';

export interface EventRun {
  readonly event: string;
  /** As GitHub delivers it; text is written as it is. */
  readonly payload: unknown;
  readonly workspace: string;
  readonly github?: GitHubServer;
  readonly service: Workspace;
  readonly baseUrl: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Beside what the runner sets for the event. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface EventOutcome extends GateRun {
  /** What was sent, without the part of the names that stands for the content. */
  readonly sent: readonly string[];
  /** Whatever a person is told that is neither an issue nor a warning. */
  readonly notices: string;
  readonly warnings: string;
  /** The summary as a reader sees it. */
  readonly read: string;
}

/** The built action in a job that an event started. */
export async function runEvent({ event, payload, service, github, ...rest }: EventRun): Promise<EventOutcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-event-'));
  const file = path.join(folder, 'event.json');
  await writeFile(file, typeof payload === 'string' ? payload : JSON.stringify(payload));
  const submissionsBefore = service.submissions.length;
  try {
    const run = await runGate({
      workspace: rest.workspace,
      inputs: {
        'api-key': service.key,
        'base-url': rest.baseUrl,
        ...(github && { 'github-token': github.token }),
        ...rest.inputs,
      },
      env: {
        GITHUB_EVENT_NAME: event,
        GITHUB_EVENT_PATH: file,
        GITHUB_JOB: 'gate',
        GITHUB_ACTION: '__self',
        GITHUB_WORKFLOW_REF: 'acme/campaigns/.github/workflows/media.yml@refs/heads/main',
        ...(github && { GITHUB_API_URL: github.url }),
        ...rest.env,
      },
    });
    const told = (level: string): string =>
      run.annotations
        .filter((annotation) => annotation.level === level)
        .map(({ message }) => message)
        .join('\n');
    return {
      ...run,
      sent: sentTo(service, submissionsBefore),
      notices: [...run.log.matchAll(/^Note: (.*)$/gm)].map((match) => match[1]).join('\n'),
      warnings: told('warning'),
      read: run.summary
        .replaceAll(/<\/?code>/g, '`')
        .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sentTo({ submissions }: Workspace, before: number): readonly string[] {
  return submissions
    .slice(before)
    .flatMap(({ assets }) => assets.map(({ filename }) => filename.replace(/-[0-9a-f]{16}(?=\.)/, '')))
    .toSorted();
}

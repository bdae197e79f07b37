import { createRequire } from 'node:module';
import type { ServerKind } from './github-model.ts';

export type Json = { [key: string]: JsonValue };
export type JsonValue = string | number | boolean | null | Json | JsonValue[];

// The package is a JSON file, which `require` can read without an import attribute.
const require = createRequire(import.meta.url);
const definitions: readonly {
  readonly name: string;
  readonly examples: readonly Json[];
}[] = require('@octokit/webhooks-examples');

/** Each example of a payload, with the event under which a workflow gets it. Two events have the same payloads. */
export const EXAMPLES: readonly (readonly [event: string, index: number, payload: Json])[] = definitions.flatMap(
  ({ name, examples }) => {
    const events = name === 'pull_request' ? [name, 'pull_request_target'] : [name];
    return events.flatMap((event) => examples.map((example, index) => [event, index, example] as const));
  },
);

/** GitHub's example of a payload, with the values at some paths replaced: `{ 'pull_request.head.repo': null }`. */
export function payload(event: string, changes: Readonly<Record<string, JsonValue>> = {}, example = 0): Json {
  const found = definitions.find(({ name }) => name === event)?.examples[example];
  if (!found) throw new Error(`There is no example ${example} of ${event}.`);
  const copy = structuredClone(found);
  for (const [path, value] of Object.entries(changes)) set(copy, path.split('.'), value);
  return copy;
}

/** The head of pull request 2, the one in GitHub's examples. */
export const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';

/** The event of pull request 2. */
export function pullRequest(changes: Readonly<Record<string, JsonValue>> = {}) {
  return { name: 'pull_request', payload: payload('pull_request', changes) };
}

/** The web page of pull request 2. */
export const PAGE_AT: Readonly<Record<ServerKind, string>> = {
  GitHub: 'https://github.com/acme/campaigns/pull/2',
  Gitea: 'https://gitea.example.com/acme/campaigns/pulls/2',
};

/** The event of pull request 2 as each server sends it. Gitea's label does not name the owner of the branch. */
export function pullRequestAt(kind: ServerKind, changes: Readonly<Record<string, JsonValue>> = {}): Json {
  const label = kind === 'Gitea' ? 'changes' : 'acme:changes';
  return payload('pull_request', {
    'pull_request.html_url': PAGE_AT[kind],
    'pull_request.head.label': label,
    ...changes,
  });
}

/** The value at a path such as `pull_request.head.sha`. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split('.').reduce((at: JsonValue | undefined, key) => Object(at)[key], value);
}

function set(target: Json, [key = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const next = target[key];
  if (typeof next !== 'object' || next === null || Array.isArray(next)) throw new Error(`${key} is no object.`);
  set(next, rest, value);
}

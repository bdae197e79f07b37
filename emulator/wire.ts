/** Everything that the interface leaves open about the form of a response, whatever it says. */
import { type HttpResponse, json } from './http.ts';
import type { LoadedScenario } from './scenario.ts';
import type { Workspace } from './workspace.ts';

type Entry = readonly [key: string, value: unknown];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The response of an endpoint with the codes, identifiers and fields that the scenario asks for. */
export function formed({ scenario, requests }: Workspace, response: HttpResponse): HttpResponse {
  const isUpper = scenario.idCase === 'upper' || (scenario.idCase === 'mixed' && requests.length % 2 === 0);
  const value = rewritten(JSON.parse(response.body), {
    text: (text) => (isUpper && UUID.test(text) ? text.toUpperCase() : text),
    entries: (entries) => {
      const kept = scenario.omitNulls ? entries.filter(([, value]) => value !== null) : entries;
      return scenario.extraFields ? [...kept, ['addedLater', { since: 'a later release' }]] : kept;
    },
  });
  return json(scenario.successStatus ?? response.status, value, response.headers);
}

/** The response with the header names and the compression that the scenario asks for, refusals and faults included. */
export function encoded(workspace: Workspace | undefined, response: HttpResponse): HttpResponse {
  if (workspace === undefined) return response;
  const { gzip, headerCase } = workspace.scenario;
  const isCompressed = gzip && response.body !== '';
  const entries = Object.entries({ ...response.headers, ...(isCompressed && { 'content-encoding': 'gzip' }) });
  const headers = entries.map(([name, value]) => [headerCase === 'upper' ? name.toUpperCase() : name, value] as const);
  return { ...response, headers: Object.fromEntries(headers), ...(isCompressed && { encoding: 'gzip' }) };
}

/** The fields that an asset result need not have. Only the version number is never null. */
export function optional(
  { optionalFields }: LoadedScenario,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (optionalFields === 'sent') return fields;
  if (optionalFields === 'left-out') return {};
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, key === 'versionNumber' ? value : null]),
  );
}

const RENAME: Readonly<Record<LoadedScenario['filenames'], (name: string) => string>> = {
  unchanged: (name) => name,
  'lower-case': (name) => name.toLowerCase(),
  'upper-case': (name) => name.toUpperCase(),
  underscores: (name) => name.replaceAll('-', '_'),
  'letters-and-digits': (name) => name.replaceAll(/[^\p{L}\p{N}.]/gu, ''),
  'in-folder': (name) => `uploads/${name}`,
  'without-extension': (name) => name.replace(/\.[^.]*$/, ''),
  'cut-to-64': (name) => name.slice(0, 64),
};

/** The name of a file as the service reports it. */
export function reportedName({ filenames }: LoadedScenario, name: string): string {
  return RENAME[filenames](name);
}

interface Rewrite {
  readonly text: (text: string) => string;
  readonly entries: (entries: readonly Entry[]) => readonly Entry[];
}

/** The same JSON with every text and the entries of every object changed. */
function rewritten(value: unknown, rewrite: Rewrite): unknown {
  if (typeof value === 'string') return rewrite.text(value);
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): Entry => [key, rewritten(inner, rewrite)]);
  return Object.fromEntries(rewrite.entries(entries));
}

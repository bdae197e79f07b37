import { readFileSync } from 'node:fs';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** What GitHub says about its own API, as far as the gate uses it. */
interface Description {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly body?: unknown;
  /** By status; the schema is null if the response has no body. */
  readonly responses: Readonly<Record<string, { readonly schema: unknown; readonly examples?: readonly unknown[] }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: unknown;
}

/** A request as it arrived: its address is not decoded, its body is. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const DESCRIPTION: Description = JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8'));
export const OPERATIONS = DESCRIPTION.operations;

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a request to GitHub; empty if it is right. */
export function problemsOfRequest(request: Arrived): readonly string[] {
  const { pathname, searchParams } = new URL(request.url, 'http://github.test');
  const found = operationOf(request.method, pathname);
  if (!found) return [`GitHub describes no such request, or it is missing in scripts/openapi.ts: ${lineOf(request)}`];
  const { name, operation, inPath } = found;
  const line = lineOf(request);
  const given = { path: inPath, query: Object.fromEntries(searchParams) };
  // In an address a number is text.
  const parameters = validatorOf(`parameters of ${name}`, () => parametersOf(operation), { coerceTypes: true });
  const wrong = problems(parameters, given, line);
  if (operation.body === undefined) return request.body === undefined ? wrong : [...wrong, `no body is read: ${line}`];
  const body = validatorOf(`body of ${name}`, () => closed(operation.body));
  return [...wrong, ...problems(body, request.body, line)];
}

/** How a response of the model differs from GitHub's. It may leave out fields, but not add any. */
export function problemsOfResponse(
  request: Arrived,
  { status, body }: { readonly status: number; readonly body: unknown },
): readonly string[] {
  const found = operationOf(request.method, new URL(request.url, 'http://github.test').pathname);
  const line = `the response ${status} to ${lineOf(request)}`;
  if (!found) return [`GitHub describes no such request: ${line}`];
  const { schema } = found.operation.responses[status] ?? { schema: status < 400 ? undefined : REFUSAL };
  if (schema === undefined) return [`GitHub describes no such status: ${line}`];
  if (schema === null) return body === '' ? [] : [`GitHub sends no body: ${line}`];
  const validate = validatorOf(`${status} of ${found.name}`, () => partial(schema));
  return problems(validate, body, line);
}

/** Any request may be refused with this body. */
const REFUSAL = { $ref: '#/components/schemas/basic-error' };

function operationOf(method: string, path: string) {
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const [known = '', template = ''] = name.split(' ');
    const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = known === method && new RegExp(`^(?:/api/v3)?${pattern}$`).exec(path);
    if (!match) continue;
    const inPath = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, operation, inPath: Object.fromEntries(inPath) };
  }
  return undefined;
}

function parametersOf({ parameters }: Operation): unknown {
  const places = (['path', 'query'] as const).map((place) => {
    const known = parameters.filter((each) => each.in === place);
    const properties = Object.fromEntries(known.map(({ name, schema }) => [name, schema]));
    const required = known.filter((each) => each.required).map(({ name }) => name);
    return [place, closed({ type: 'object', properties, required })];
  });
  return { type: 'object', properties: Object.fromEntries(places) };
}

function validatorOf(name: string, schema: () => unknown, options: Options = {}): ValidateFunction {
  const known = compiled.get(name);
  if (known) return known;
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  const schemas = partial(DESCRIPTION.components.schemas);
  const validate = ajv.compile({ ...Object(schema()), components: { schemas } });
  compiled.set(name, validate);
  return validate;
}

/** A schema that knows its fields by name, and no others. */
function closed(schema: unknown): unknown {
  return { ...Object(schema), additionalProperties: false };
}

/** A schema in which every field is optional, at any depth: the model has only the fields that somebody reads. */
function partial(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(partial);
  if (typeof node !== 'object' || node === null) return node;
  const { required, ...rest } = Object(node);
  const kept = Array.isArray(required) ? rest : node;
  const parts = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, partial(value)]));
  return 'properties' in parts && parts['type'] === 'object' && !('additionalProperties' in parts)
    ? closed(parts)
    : parts;
}

function problems(validate: ValidateFunction, value: unknown, line: string): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}: ${line}`,
  );
}

function lineOf({ method, url }: Arrived): string {
  return `${method} ${url}`;
}

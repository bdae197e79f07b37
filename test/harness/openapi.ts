import { readFileSync } from 'node:fs';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** The part of GitHub's OpenAPI description that the gate needs. */
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
interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const DESCRIPTION: Description = JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8'));
export const OPERATIONS = DESCRIPTION.operations;

const compiled = new Map<string, ValidateFunction>();

/** Any request may be refused with this body. */
const REFUSAL = { $ref: '#/components/schemas/basic-error' };

/** Lists how a request, and its response if there is one, differ from GitHub's description. */
export function problemsOf(
  { method, url, body }: Arrived,
  response?: { readonly status: number; readonly body: unknown },
): readonly string[] {
  const { pathname, searchParams } = new URL(url, 'http://github.test');
  const found = operationOf(method, pathname);
  if (!found) return ['GitHub describes no such request, or it is missing in scripts/openapi.ts'];
  const { name, operation, inPath } = found;
  // Types are coerced, because a number in an address is text.
  const parameters = validatorOf(`parameters of ${name}`, () => parametersOf(operation), { coerceTypes: true });
  const wrong = [...problems(parameters, { path: inPath, query: Object.fromEntries(searchParams) })];
  if (operation.body !== undefined) {
    const validateBody = validatorOf(`body of ${name}`, () => closed(operation.body));
    wrong.push(...problems(validateBody, body));
  } else if (body !== undefined) wrong.push('no body is read');
  if (!response) return wrong;
  const { status } = response;
  const { schema } = operation.responses[status] ?? { schema: status < 400 ? undefined : REFUSAL };
  if (schema === undefined) return [...wrong, `GitHub describes no such status: ${status}`];
  if (schema === null) return response.body === '' ? wrong : [...wrong, `GitHub sends no body with ${status}`];
  // The model may leave out fields, but not add any.
  const validateResponse = validatorOf(`${status} of ${name}`, () => partial(schema));
  return [...wrong, ...problems(validateResponse, response.body)];
}

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

/** Forbids fields that the schema does not name. */
function closed(schema: unknown): unknown {
  return { ...Object(schema), additionalProperties: false };
}

/** Makes every field optional at any depth, because the model has only the fields that the gate reads. */
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

function problems(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

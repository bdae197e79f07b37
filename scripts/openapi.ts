/**
 * Extracts the requests of the gate from GitHub's description of its API: `node scripts/openapi.ts`. The whole description has
 * hundreds of megabytes, too much to install for every test.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const PACKAGE = '@octokit/openapi@23.0.2';
const DESCRIPTION = 'package/generated/api.github.com.json';
const SLICE = new URL('../test/harness/openapi.json', import.meta.url);

/** Every request of src/github/api.ts, under `/repos/{owner}/{repo}/`. */
const REQUESTS = [
  'GET pulls/{pull_number}',
  'GET pulls/{pull_number}/files',
  'GET commits/{commit_sha}/pulls',
  'GET contents/{path}',
  'GET git/commits/{commit_sha}',
  'GET issues/{issue_number}/comments',
  'POST issues/{issue_number}/comments',
  'PATCH issues/comments/{comment_id}',
  'GET actions/artifacts',
  'GET actions/artifacts/{artifact_id}/{archive_format}',
];

/** Fields that only people or other tools read. */
const WORDS: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'example', 'examples', 'discriminator']);

/** Null once a fork or its owner was deleted, although the description does not say so: github/rest-api-description, issues 1811 and 5562. */
const MAY_BE_NULL = ['repo', 'label', 'user'];

type Node = Readonly<Record<string, unknown>>;

function slice(whole: Node): Node {
  const schemas: Record<string, unknown> = {};

  const follow = (node: unknown): Node => {
    const { $ref, ...own } = Object(node);
    if ($ref === undefined) return own;
    return String($ref)
      .split('/')
      .slice(1)
      .reduce((at, name) => Object(at[name]), whole);
  };

  /** @param isNames whether its keys are names of fields, which may look like keywords of a schema */
  const withoutWords = (node: unknown, isNames = false): unknown => {
    if (Array.isArray(node)) return node.map((each) => withoutWords(each));
    if (typeof node !== 'object' || node === null) return node;
    const kept = Object.entries(node).filter(([key]) => isNames || !(WORDS.has(key) || key.startsWith('x-')));
    for (const [key, value] of kept) if (key === '$ref') take(String(value));
    return Object.fromEntries(kept.map(([key, value]) => [key, withoutWords(value, key === 'properties' && !isNames)]));
  };

  const take = (ref: string): void => {
    const name = ref.slice('#/components/schemas/'.length);
    if (name in schemas) return;
    // Registered before its parts are visited: some schemas contain themselves.
    schemas[name] = {};
    schemas[name] = withoutWords(follow({ $ref: ref }));
  };

  const jsonOf = (holder: Node): Node | undefined => {
    const json = Object(holder['content'])['application/json'];
    return json === undefined ? undefined : Object(json);
  };

  const operations = REQUESTS.map((request) => {
    const [method = '', template = ''] = request.split(' ');
    const route = `/repos/{owner}/{repo}/${template}`;
    const operation = Object(Object(whole['paths'])[route])[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${PACKAGE} does not describe ${request}.`);
    const responses = Object.entries(operation.responses).map(([status, response]) => {
      const json = jsonOf(follow(response));
      const examples = status.startsWith('2') ? Object.values(Object(json?.['examples'])) : [];
      return [
        status,
        {
          schema: withoutWords(json?.['schema'] ?? null),
          ...(examples.length > 0 && { examples: examples.map((each) => follow(each)['value']) }),
        },
      ];
    });
    const body = operation.requestBody && jsonOf(operation.requestBody)?.['schema'];
    return [
      `${method} ${route}`,
      {
        parameters: operation.parameters.map((each: unknown) => parameter(follow(each))),
        ...(body && { body: withoutWords(body) }),
        responses: Object.fromEntries(responses),
      },
    ];
  });
  for (const pull of ['pull-request', 'pull-request-simple']) {
    const { properties } = Object(schemas[pull]).properties.head;
    for (const name of MAY_BE_NULL) properties[name] = { anyOf: [properties[name], { type: 'null' }] };
  }
  return {
    from: PACKAGE,
    by: 'node scripts/openapi.ts',
    operations: Object.fromEntries(operations),
    components: { schemas },
  };
}

function parameter({ name, in: where, required = false, schema, description }: Node): Node {
  // GitHub documents this limit in a sentence only.
  const [, most] = /\(max (\d+)\)/.exec(String(description)) ?? [];
  return { name, in: where, required, schema: { ...Object(schema), ...(most && { maximum: Number(most) }) } };
}

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), 'gate-openapi-'));
try {
  const { stdout: archive } = await run('npm', ['pack', '--silent', '--pack-destination', folder, PACKAGE]);
  await run('tar', ['-xzf', path.join(folder, archive.trim()), '-C', folder, DESCRIPTION]);
  const whole: Node = JSON.parse(await readFile(path.join(folder, DESCRIPTION), 'utf8'));
  await writeFile(SLICE, `${JSON.stringify(slice(whole), undefined, 1)}\n`);
} finally {
  await rm(folder, { recursive: true });
}

import { unzipSync } from 'fflate';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { endpointOf, type FindFault, startFront } from '../harness/front.ts';
import type { Fault } from '../harness/github-model.ts';
import { png } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';
import { runWithSecrets, type ServiceRun } from '../harness/run-action.ts';

/** Has the characters that one of our renderers escapes. */
const STATE_KEY = 'the "state" <key> of_the|fault & *suite*\\';
/** What every upload address holds: in its path, in its query under a name that says nothing, and in its fragment. */
const TICKETS = [
  'Path/of+the=UPLOAD_address',
  'Ticket/of+the=UPLOAD_address',
  'Fragment/of+the=UPLOAD_address',
] as const;

const CRITICAL: Scenario = { directCap: 0, default: { issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] } };
/** Fields that the gate needs as they are. Every other text of a response may hold a secret. */
const NEEDED = /^(?:submissionId|assetId|id|filename|blobPath|uploadUrl|expiresAt|severity|status)$/;

/** The same secret as servers write it: encoded, encoded twice, and escaped for JSON or for HTML. */
function formsOf(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret);
  const asJson = secret.replaceAll(/\W/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
  const asHtml = secret.replaceAll(/\W/g, (each) => `&#${each.charCodeAt(0)};`);
  const inCases = [secret, secret.toUpperCase(), secret.toLowerCase()];
  return [...inCases, encoded, encodeURIComponent(encoded), JSON.stringify(secret).slice(1, -1), asJson, asHtml];
}

/** Adds the text to every text in a response, and to every object a field of that name and value, at any depth. */
function repeatIn(value: unknown, text: string, name = ''): unknown {
  if (typeof value === 'string') return NEEDED.test(name) ? value : `${value} ${text}`;
  if (Array.isArray(value)) return value.map((item) => repeatIn(item, text, name));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, each]) => [key, repeatIn(each, text, key)]);
  return { ...Object.fromEntries(fields), [text]: text };
}

/** Undoes what our renderers escape. */
function unescaped(text: string): string {
  return text
    .replaceAll('&#8288;', '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/(?:\\u([\da-f]{4})|%([\da-f]{2}))/gi, (_, wide, byte) =>
      String.fromCodePoint(Number(`0x${wide ?? byte}`)),
    )
    .replaceAll('\\', '')
    .toLowerCase();
}

/** Everything that a run has written or sent to GitHub, by name. Only commands that mask a secret may contain it. */
function everythingOf(run: ServiceRun, sent: unknown, archives: Readonly<Record<number, Uint8Array>>) {
  const log = run.log.replaceAll(/^::(?:add-mask|debug)::.*$/gm, '');
  const uploaded = Object.values(archives).flatMap((archive) =>
    Object.entries(archive[0] === 0x50 ? unzipSync(archive) : { page: archive }),
  );
  return new Map([
    ...run.written,
    ['log', log],
    ['summary', run.summary],
    ['annotations', JSON.stringify(run.annotations)],
    ['outputs', JSON.stringify(run.outputs)],
    ['sent to GitHub', JSON.stringify(sent)],
    ...uploaded.map(([name, bytes]) => [`artifact ${name}`, Buffer.from(bytes).toString('utf8')] as const),
  ]);
}

interface Case {
  readonly title: string;
  /** The output `reason`. */
  readonly reason: string;
  readonly scenario?: (text: string) => Scenario;
  readonly front?: (text: string) => FindFault;
  readonly github?: (text: string) => readonly Fault[];
}

const refuse = (on: 'submissions/create' | 'storage/put', status: number, body: unknown): Scenario => ({
  ...CRITICAL,
  faults: [{ on, status, body }],
});

const CASES: readonly Case[] = [
  {
    title: 'in every text and name of its results',
    reason: 'issues',
    front: (text) => () => (body) => JSON.stringify(repeatIn(JSON.parse(body), text)),
  },
  {
    title: 'in the error of a file',
    reason: 'asset-failed',
    scenario: (errorMessage) => ({ directCap: 0, default: { fails: { errorMessage, isRetryable: false } } }),
  },
  {
    title: 'as the names of fields in a refusal',
    reason: 'refused',
    scenario: (text) => refuse('submissions/create', 422, { [text]: [{ a: { [text]: 1 } }] }),
  },
  {
    title: 'at the end of what is shown of a long text',
    reason: 'refused',
    scenario: (text) => refuse('submissions/create', 403, `${'x'.repeat(260)} ${text}`),
  },
  {
    title: 'in the XML of its storage',
    reason: 'refused',
    scenario: (text) =>
      refuse('storage/put', 400, `<Error><Code>${/ghs_\w+/i.exec(text)?.[0]}</Code><Message>${text}</Message></Error>`),
  },
  {
    title: 'in the address of a redirect',
    reason: 'bad-input',
    scenario: (text) => {
      const headers = { location: `https://elsewhere.example/${encodeURIComponent(text)}` };
      return { faults: [{ on: 'uploads/direct', status: 307, headers }] };
    },
  },
  {
    title: 'in headers',
    reason: 'service',
    scenario: (text) => ({
      faults: [{ on: 'uploads/direct', status: 503, headers: { 'retry-after': text, date: text, server: text } }],
    }),
  },
  {
    title: 'in a status',
    reason: 'issues',
    front: (text) => (line) =>
      endpointOf(line) === 'submissions/read'
        ? (body) => body.replace(/"status":"\w+"/, `"status":${JSON.stringify(text)}`)
        : undefined,
  },
  {
    title: "in GitHub's refusals",
    reason: 'issues',
    github: (text) => [{ on: 'comments', status: 403, body: { message: `${'x'.repeat(3_960)} ${text}` } }],
  },
];

/** Runs the action with a server of this case, and returns the output `reason` and the places that have a secret. */
const it = base.extend('run', ({ emulator, makeFolder, startGitHub, end }) => async (each: Case) => {
  const service = emulator.workspace();
  const faults: Fault[] = [];
  const github = await startGitHub({ pulls: { 2: { headSha: HEAD, files: [] } }, faults });
  const { artifacts } = github;
  const secrets = [service.key, STATE_KEY, github.token, ...TICKETS];
  const text = secrets.flatMap(formsOf).join(' ');
  service.load(each.scenario?.(text) ?? CRITICAL);
  faults.push(...(each.github?.(text) ?? []));
  const [inPath, inQuery, inFragment] = TICKETS.map(encodeURIComponent);
  const storage = await end(startFront(emulator.storageUrl, { folder: `/${inPath}` }));
  const addTickets = (body: string): string =>
    body
      .replace(/(?<="uploadUrl":")https?:\/\/[^/]+/, `${storage.url}/${inPath}`)
      .replace(/"uploadUrl":"[^"]*/, `$&&ticket=${inQuery}&type=image%2Fpng#${inFragment}`);
  const fault: FindFault = (line) => (line.endsWith('/uploads/url') ? addTickets : each.front?.(text)(line));
  const { url: baseUrl } = await end(startFront(emulator.baseUrl, { fault }));
  const workspace = await makeFolder({ '.git/HEAD': HEAD, 'a.png': png('a') });
  const inputs = { 'state-key': STATE_KEY, comment: 'always', 'wait-timeout-minutes': '1' };
  const servers = { service, baseUrl, github, artifacts };
  const run = await runWithSecrets({ ...servers, workspace, event: pullRequest(), clockFactor: 40, inputs });
  const sent = github.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  const leaks = [...everythingOf(run, sent, artifacts.archives)].flatMap(([place, content]) => {
    const plain = unescaped(content);
    // A part is too much: a secret may have been cut off before it was hidden.
    const starts = secrets.map((secret) => unescaped(secret).slice(0, 16));
    return starts.filter((start) => plain.includes(start)).map((start) => `${place}: ${start}`);
  });
  return { ...run, leaks };
});

describe.concurrent('a server that repeats the secrets of the run, in any letter case', () => {
  it.for(CASES)('$title: they are shown, published and saved nowhere', async ({ reason, ...each }, { run }) => {
    const { leaks, outputs, log } = await run({ reason, ...each });
    expect(leaks).toEqual([]);
    expect(outputs['reason'], log).toBe(reason);
  });
});

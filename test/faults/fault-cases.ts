import type { Scenario } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/http.ts';

type Faults = NonNullable<Scenario['faults']>;
type Strike = Omit<Faults[number], 'on'>;

/** A fault as the client sees it; the expected result depends on that alone. */
export type Symptom =
  /** An answer with this status, whole and readable. */
  | { readonly is: 'status'; readonly status: number }
  /** No whole answer. `unsent`: there was not even a connection. */
  | { readonly is: 'no answer'; readonly unsent: boolean }
  /** A response with a success status and a useless body. */
  | { readonly is: 'nonsense'; readonly isJson: boolean }
  /** The right response, but late. */
  | { readonly is: 'slow' };

export interface Fault {
  readonly name: string;
  readonly symptom: Symptom;
  /** What the emulator does; undefined if the connection breaks. */
  readonly strike: Strike | undefined;
  /** The service has processed the request, and only the response is lost or damaged. */
  readonly isDone: boolean;
}

const LARGER_THAN_ANY_ANSWER = 70 * 1024 * 1024;
const DEEP = 100_000;

/** Every status that the contract names, and those of gateways. */
const STATUSES = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504];

const NO_ANSWER: Symptom = { is: 'no answer', unsent: false };
const UNREADABLE: Symptom = { is: 'nonsense', isJson: false };
const OFF_CONTRACT: Symptom = { is: 'nonsense', isJson: true };

function fault(name: string, symptom: Symptom, strike: Strike, isDone = false): Fault {
  return { name, symptom, strike, isDone };
}

function status(code: number, headers?: Record<string, string>, body?: unknown): Strike {
  return { status: code, ...(headers && { headers }), ...(body !== undefined && { body }) };
}

/** JSON as raw text: some of it cannot be written as an object. */
function jsonText(text: string): Strike {
  return status(200, { 'content-type': 'application/json' }, text);
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

const BROKEN_LINES: readonly Fault[] = ['connection refused', 'unknown host'].map((name) => ({
  name,
  symptom: { is: 'no answer', unsent: true },
  strike: undefined,
  isDone: false,
}));

const FAULTS: readonly Fault[] = [
  ...STATUSES.map((code) => fault(String(code), { is: 'status', status: code }, status(code))),
  fault('429 without Retry-After', { is: 'status', status: 429 }, status(429, undefined, { error: 'Slow down.' })),
  fault('429, Retry-After soon', { is: 'status', status: 429 }, status(429, { 'retry-after': 'soon' })),
  fault('429, Retry-After 999999999', { is: 'status', status: 429 }, status(429, { 'retry-after': '999999999' })),
  fault(
    '503, nested 100,000 deep',
    { is: 'status', status: 503 },
    status(503, { 'content-type': 'application/json' }, `{"detail":${nested(DEEP)}}`),
  ),
  ...BROKEN_LINES,
  fault('reset before the body', NO_ANSWER, { reset: true, when: 'before-body' }),
  fault('reset before the work', NO_ANSWER, { reset: true }),
  fault('reset after the work', NO_ANSWER, { reset: true, when: 'after-work' }, true),
  fault('silence', NO_ANSWER, { stall: true }),
  fault('silence after the work', NO_ANSWER, { stall: true, when: 'after-work' }, true),
  fault('the answer breaks off', NO_ANSWER, { truncate: 20 }, true),
  fault('a longer answer is promised', NO_ANSWER, { contentLength: 10 }, true),
  fault('a shorter answer is promised', UNREADABLE, { contentLength: -10 }, true),
  fault('half of the answer', UNREADABLE, { malformedJson: true }, true),
  fault('an answer of 70 MB', OFF_CONTRACT, { huge: LARGER_THAN_ANY_ANSWER }, true),
  fault('a byte at a time', { is: 'slow' }, { drip: { bytes: 64, everyMs: 1 } }, true),
  fault('a web page', UNREADABLE, { html: 200 }),
  fault('the web page of a gateway', { is: 'status', status: 502 }, { html: 502 }),
  fault('a redirect', { is: 'status', status: 307 }, { redirect: 'https://elsewhere.example/api?sig=secret' }),
  fault('null', OFF_CONTRACT, jsonText('null')),
  fault('a list', OFF_CONTRACT, jsonText('[]')),
  fault('a text', OFF_CONTRACT, jsonText('"complete"')),
  fault('an empty object', OFF_CONTRACT, jsonText('{}')),
  fault('wrong types', OFF_CONTRACT, status(200, undefined, wrongTypes())),
  fault('nested 100,000 deep', OFF_CONTRACT, jsonText(`{"assets":${nested(DEEP)},"issues":${nested(DEEP)}}`)),
  fault('only in __proto__', OFF_CONTRACT, jsonText(`{"__proto__":${JSON.stringify(rightTypes())}}`)),
];

/** Every field that any endpoint answers with, of a type that it never has. */
function wrongTypes(): object {
  const fields = ['uploadUrl', 'blobPath', 'submissionId', 'status', 'assetId', 'filename', 'dispatched', 'topics'];
  return {
    ...Object.fromEntries(fields.map((name) => [name, { $ne: null }])),
    sizeBytes: '1',
    assets: 7,
    issues: true,
  };
}

/** A body with the fields that any endpoint needs. */
function rightTypes(): object {
  return {
    uploadUrl: 'http://127.0.0.1:9/x',
    blobPath: 'x/y.png',
    sizeBytes: 71,
    submissionId: '00000000-0000-4000-8000-000000000000',
    status: 'complete',
    assetId: '00000000-0000-4000-8000-000000000001',
    filename: 'a.png',
    issueCount: 0,
    assets: [],
    issues: [],
    dispatched: 1,
  };
}

/** `always`: every request of the endpoint; `once`: only the first one. */
export type Lasting = 'always' | 'once';

export interface FaultCase {
  readonly endpoint: Endpoint;
  readonly fault: Fault;
  readonly lasting: Lasting;
}

/** One of each kind that may be over in a moment. */
const PASSING: ReadonlySet<string> = new Set([
  '429',
  '500',
  '503',
  'reset before the work',
  'reset after the work',
  'silence',
  'the answer breaks off',
  'half of the answer',
  'a web page',
  'null',
]);

export const FAULT_CASES: readonly FaultCase[] = ENDPOINTS.flatMap((endpoint) => [
  ...FAULTS.map((fault): FaultCase => ({ endpoint, fault, lasting: 'always' })),
  ...FAULTS.filter(({ name }) => PASSING.has(name)).map((fault): FaultCase => ({ endpoint, fault, lasting: 'once' })),
]);

export function titleOf({ endpoint, fault, lasting }: FaultCase): string {
  return `${endpoint} ${lasting}: ${fault.name}`;
}

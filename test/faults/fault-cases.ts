import type { Scenario } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/http.ts';

type Strike = Omit<NonNullable<Scenario['faults']>[number], 'on'>;
type Optional = 'assets/topics' | 'submissions/versions' | 'sandbox/fire';

/** Details and sandbox events never change a verdict, so a few faults are enough. */
const OPTIONAL: ReadonlySet<Endpoint> = new Set<Optional>(['assets/topics', 'submissions/versions', 'sandbox/fire']);

const FEW: ReadonlySet<Fault['kind']> = new Set<Fault['kind']>([401, 404, 'outage', 'damaged']);

const COLUMNS: readonly Exclude<Endpoint, Optional>[] = [
  'uploads/url',
  'uploads/direct',
  'storage/put',
  'submissions/create',
  'submissions/read',
  'assets/read',
  'assets/issues',
  'assets/retry',
];

/**
 * The verdict's reason for each kind of lasting fault, by column. Every case has a CRITICAL issue: a run that can read
 * it ends with `issues`, and no fault may turn that into a pass. Assets can be read even if their submission cannot.
 * A status of storage is about the file, and any 2xx is a success.
 */
// biome-ignore format: a table
const REASONS = {
  refused:        ['refused',   'refused',   'refused', 'refused',   'issues',  'results', 'results', 'asset-failed'],
  // The limit of direct uploads may be lower than documented; storage has none.
  413:            ['refused',   'issues',    'refused', 'refused',   'issues',  'results', 'results', 'asset-failed'],
  401:            ['auth',      'auth',      'refused', 'auth',      'auth',    'auth',    'auth',    'auth'],
  402:            ['plan',      'plan',      'refused', 'plan',      'plan',    'plan',    'plan',    'plan'],
  404:            ['bad-input', 'bad-input', 'refused', 'refused',   'issues',  'results', 'results', 'asset-failed'],
  redirect:       ['bad-input', 'bad-input', 'refused', 'bad-input', 'issues',  'results', 'results', 'asset-failed'],
  // The list counts an issue, so an outage excuses nothing after it.
  outage:         ['service',   'service',   'service', 'service',   'issues',  'results', 'results', 'asset-failed'],
  closed:         ['service',   'service',   'service', 'service',   'service', 'results', 'results', 'asset-failed'],
  // The service did the work, but its response is lost.
  lost:           ['service',   'service',   'service', 'service',   'issues',  'results', 'results', 'issues'],
  // The service notices that storage has no bytes.
  nonsense:       ['results',   'results',   'refused', 'results',   'issues',  'results', 'results', 'asset-failed'],
  // The service did the work, but its response cannot be read.
  damaged:        ['results',   'results',   'issues',  'results',   'issues',  'results', 'results', 'issues'],
} as const;

interface Fault {
  readonly name: string;
  readonly kind: keyof typeof REASONS;
  /** What the emulator does. */
  readonly strike: Strike;
  /** How often a creation that meets this fault is sent. Default: once, because it may have been received. */
  readonly creations?: 1 | 2 | 'several';
  /** The fault is also tested as one that happens only once. */
  readonly passes?: true;
}

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** A body with the fields that any endpoint needs. */
const RIGHT_TYPES = {
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
/** The same fields, with a type that they never have. */
const WRONG_TYPES = Object.fromEntries(Object.keys(RIGHT_TYPES).map((name) => [name, { $ne: null }]));

/** A JSON body as text, because deep nesting and `__proto__` cannot be written as an object. */
function json(status: number, body: string): Strike {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function page(status: number): Strike {
  return { status, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Gateway</title>' };
}

/** Every status that the contract names, statuses of gateways, and other things that can be wrong with a response. */
const FAULTS: readonly Fault[] = [
  { name: '400', kind: 'refused', strike: { status: 400 } },
  { name: '401', kind: 401, strike: { status: 401 } },
  { name: '402', kind: 402, strike: { status: 402 } },
  { name: '403', kind: 'refused', strike: { status: 403 } },
  { name: '404', kind: 404, strike: { status: 404 }, creations: 2 },
  { name: '409', kind: 'refused', strike: { status: 409 } },
  { name: '413', kind: 413, strike: { status: 413 } },
  { name: '415', kind: 'refused', strike: { status: 415 } },
  // The creation is repeated once without metadata, which may be the cause.
  { name: '422', kind: 'refused', strike: { status: 422 }, creations: 2 },
  { name: '429', kind: 'outage', strike: { status: 429 }, creations: 'several', passes: true },
  // The action does not wait longer than its time limit.
  { name: '429 for years', kind: 'closed', strike: { status: 429, headers: { 'retry-after': '999999999' } } },
  { name: '500', kind: 'outage', strike: { status: 500 }, creations: 2, passes: true },
  { name: '502 of a gateway', kind: 'outage', strike: page(502), creations: 2 },
  { name: '503, nested 100,000 deep', kind: 'outage', strike: json(503, `{"detail":${DEEP}}`) },
  { name: '504', kind: 'outage', strike: { status: 504 } },
  {
    name: 'a redirect',
    kind: 'redirect',
    strike: { status: 307, headers: { location: 'https://elsewhere.example/api?sig=secret' }, body: '' },
  },
  { name: 'reset before the body', kind: 'outage', strike: { reset: true, when: 'before-body' } },
  { name: 'reset after the work', kind: 'lost', strike: { reset: true, when: 'after-work' } },
  { name: 'silence after the work', kind: 'lost', strike: { stall: true, when: 'after-work' }, passes: true },
  {
    name: 'half of the response',
    kind: 'damaged',
    strike: { ...json(200, '{"submissionId":"'), when: 'after-work' },
    passes: true,
  },
  {
    name: 'a response of 70 MB',
    kind: 'damaged',
    strike: { ...json(200, '{}'.padEnd(70 * 1024 * 1024)), when: 'after-work' },
  },
  { name: 'a web page', kind: 'nonsense', strike: page(200) },
  { name: 'null', kind: 'nonsense', strike: json(200, 'null') },
  { name: 'wrong types', kind: 'nonsense', strike: { status: 200, body: WRONG_TYPES } },
  { name: 'nested 100,000 deep', kind: 'nonsense', strike: json(200, `{"assets":${DEEP},"issues":${DEEP}}`) },
  { name: 'only in __proto__', kind: 'nonsense', strike: json(200, `{"__proto__":${JSON.stringify(RIGHT_TYPES)}}`) },
];

export interface FaultCase {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly strike: Strike;
  readonly reason: string;
  readonly creations: 1 | 2 | 'several';
}

const ONE_OF_EACH_KIND = FAULTS.filter((fault) => FAULTS.find(({ kind }) => kind === fault.kind) === fault);

/** After any other fault a creation or retry may have been received, so it is not repeated. */
function isRepeated({ name }: Fault): boolean {
  return name === '429' || name === '500';
}

export const FAULT_CASES: readonly FaultCase[] = ENDPOINTS.flatMap((endpoint) => {
  // One endpoint that costs money and one that only reads are tried with every fault, the others with one of each kind.
  const isWhole = endpoint === 'submissions/create' || endpoint === 'submissions/read';
  const tried = isWhole ? FAULTS : ONE_OF_EACH_KIND.filter(({ kind }) => !OPTIONAL.has(endpoint) || FEW.has(kind));
  const lasting = tried.map((fault) => caseOf(endpoint, fault));
  if (OPTIONAL.has(endpoint)) return lasting;
  const mayPass: (fault: Fault) => boolean =
    endpoint === 'submissions/create'
      ? isRepeated
      : (fault) => endpoint !== 'assets/retry' || isRepeated(fault) || REASONS[fault.kind][7] === 'issues';
  const passing = FAULTS.filter((fault) => fault.passes && mayPass(fault));
  const once = passing.map((fault): FaultCase => {
    const title = `${endpoint} once: ${fault.name}`;
    const strike = { ...fault.strike, nth: 1 };
    return { ...caseOf(endpoint, fault), title, strike, reason: 'issues', creations: 2 };
  });
  return [...lasting, ...once];
});

function caseOf(endpoint: Endpoint, { name, kind, strike, creations = 1 }: Fault): FaultCase {
  const undisturbed = endpoint === 'sandbox/fire' ? '' : 'issues';
  const reason = REASONS[kind][COLUMNS.findIndex((each) => each === endpoint)] ?? undisturbed;
  return { title: `${endpoint} always: ${name}`, endpoint, strike, reason, creations };
}

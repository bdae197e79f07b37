import { expect, it } from 'vitest';
import { FILE } from '../../src/causes/cause.ts';
import { explain } from '../../src/service/advice.ts';
import { ENDPOINTS, STORAGE } from '../../src/service/endpoints.ts';
import { type Failure, ServiceError } from '../../src/service/service-error.ts';
import { connection, refusal } from '../builders/service.ts';

const pageOf = (status: number): Failure => ({ ...refusal(status, 'a web page'), isPage: true });
const UNKNOWN = connection('unknown host');
const PAGE = pageOf(200);
const OTHER_JSON = refusal(200, 'wrong');
const REQUESTS = { ...ENDPOINTS, store: STORAGE };
const READ = 'readSubmission';
const UPLOAD = 'uploadDirect';
const CREATE = 'create';
const ADDRESS = 'uploadUrl';
const STORE = 'store';

const errorOf = (request: keyof typeof REQUESTS, failure: Failure) =>
  new ServiceError(REQUESTS[request], failure, request === STORE ? 's.example' : '');

// biome-ignore format: a table
const ADVICE: readonly (readonly [keyof typeof REQUESTS, Failure, string, string, refused?: string])[] = [
  [READ, connection('lost'), 'service: anyone, workflow owner', 'proxy, firewall'],
  [READ, connection('no access', 'it broke', 'Trust it.'), 'bad-input: workflow owner, anyone', 'Trust it.'],
  [READ, UNKNOWN, 'bad-input: workflow owner, anyone', 'Check `base-url` and the network'],
  [STORE, UNKNOWN, 'bad-input: workflow owner, anyone', 'can reach s.example (proxy, firewall)'],
  [READ, OTHER_JSON, 'results: workflow owner, anyone',
    "is the address of the compliance service. If it is, contact the service's support"],
  [READ, PAGE, 'service: anyone, workflow owner', 'a login page'],
  [CREATE, PAGE, 'results: workflow owner, anyone', 'Check that `base-url`'],
  [READ, pageOf(302), 'bad-input: workflow owner', 'a login page'],
  [STORE, refusal(307), 'refused: workflow owner, anyone, workflow owner',
    'the connection to s.example is fast enough'],
  [CREATE, refusal(400), 'refused: workflow owner', 'Check that `base-url`'],
  [READ, refusal(401), 'auth: workflow owner, anyone', '`api-key`', 'the API key'],
  [UPLOAD, refusal(402), 'plan: account owner, anyone', 'Choose a plan',
    'this kind of request under the plan of the account'],
  [UPLOAD, refusal(403), 'refused: author, workflow owner', 'Rename `a.png`', 'the name of this file'],
  [CREATE, refusal(403), 'refused: anyone, workflow owner', 'Re-run this job', 'an uploaded file'],
  [CREATE, refusal(404), 'refused: workflow owner', 'Check that `base-url`'],
  [CREATE, refusal(413), 'refused: author, workflow owner', 'Make `a.png` smaller', 'a file of this size'],
  [ADDRESS, refusal(415), 'refused: author, workflow owner',
    'Save `a.png` in a form that the service accepts: usually MP4 (video), ', 'this kind of file'],
  [UPLOAD, refusal(422), 'refused: author, workflow owner', 'its name or its type',
    'the name or the type of this file'],
  [CREATE, refusal(422), 'refused: workflow owner', '`sidekick-ids`, `metadata` or the number of assets',
    'this submission'],
  [READ, refusal(429), 'service: anyone, workflow owner', 'Ask the service for a higher limit of `submission_read`'],
  [READ, refusal(500), 'service: anyone', 'Re-run this job later.', 'down (500)'],
  [UPLOAD, pageOf(403), 'refused: workflow owner, anyone', 'ask its administrator'],
  [UPLOAD, pageOf(413), 'refused: author, workflow owner', 'Make `a.png` smaller', 'a file of this size'],
  [CREATE, pageOf(404), 'refused: workflow owner, anyone', 'ask its administrator'],
];

it.each(ADVICE.map(([request, failure, expected, ...others]) => [request, expected, failure, ...others] as const))(
  'a failure of %s is told as %s',
  (request, expected, failure, fix, refused) => {
    const error = errorOf(request, failure);
    const cause = explain(error, 'a.png');
    // A refusal and an outage are said in plain words, and the response is a detail.
    const said = refused?.replace(/^(?!down)/, 'does not accept ').replace(/^down/, 'is down');
    const plain = said === undefined ? [] : [`The compliance service ${said}.`];
    expect([cause.message, cause.detail].filter(Boolean)).toEqual([...plain, `${error.message}.`]);
    expect(`${cause.reason}: ${cause.steps.map(({ actor }) => actor).join(', ')}`).toBe(expected);
    expect(cause.steps.map(({ text }) => text.replace(FILE, '`a.png`')).join(' ')).toContain(fix);
    expect(cause.path).toBe('a.png');
  },
);

// biome-ignore format: a table
const MESSAGES: readonly (readonly [keyof typeof REQUESTS, Failure, string])[] = [
  [READ, refusal(503), 'The compliance service is down (503).'],
  [READ, refusal(400, 'x'.repeat(301)),
    `The compliance service responded with 400 while reading the submission: ${'x'.repeat(299)}….`],
  [READ, UNKNOWN, 'The compliance service could not be reached while reading the submission: it broke.'],
  [UPLOAD, PAGE, 'The compliance service responded with a web page (200) while uploading.'],
  [UPLOAD, pageOf(403), 'A gateway responded with a web page (403) while uploading.'],
  [STORE, refusal(400, 'TooBusy'), 'The storage s.example responded with 400 while storing the file: TooBusy.'],
];

it.each(MESSAGES.map(([request, failure, message]) => [message, request, failure] as const))(
  'the message: %s',
  (message, request, failure) => {
    expect(explain(errorOf(request, failure)).message).toBe(message);
  },
);

const all = [400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503];
const those = (isMeant: (error: ServiceError) => boolean) =>
  all.filter((status) => isMeant(errorOf(READ, refusal(status))));

it('what an error means for the run, by status', () => {
  expect(those(({ endsRun }) => endsRun)).toEqual([401, 402]);
  expect(those(({ isOutage }) => isOutage)).toEqual([408, 500, 503]);
  expect(those(({ stopsReading }) => stopsReading)).toEqual([401, 402, 408, 429, 500, 503]);
});

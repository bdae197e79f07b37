import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, type Scenario, startEmulator } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import { concurrently } from '../../src/lib/concurrently.ts';
import { OUTPUT_NAMES } from '../../src/publish/outputs.ts';
import { mp4, png } from '../harness/media.ts';
import { runAction, type ServiceRun } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

/** What an endpoint always answers: a status, or a damaged response as from a proxy or a broken connection. */
type Answer = number | 'web page' | 'half a JSON' | 'nothing' | 'a reset';

/** The response, then the verdict, the reason, the number of create requests, and a part of the message. */
type Row = readonly [Answer, 'pass' | 'error', string, number | 'several', RegExp];

const OUTAGE = /Re-run the job when the service is available again.*COMPLIANCE_ON_SERVICE_ERROR/;
const RATE_LIMIT =
  /The service answered 429 while .*: Rate limit exceeded.*The service asks to wait \d+ \w+: re-run the job after that\. Lower `upload-concurrency`/s;
const KEY = /The service answered 401 while .*: A fault of the scenario.*Update the secret behind `api-key`/s;
const PLAN =
  /error code tier_not_authorized\w+, kind of request: (upload|submission_write|submission_read)\).*Ask the owner of the account at the service to change its plan/s;
const REDIRECT = /redirects to https:\/\/elsewhere\.example\. A redirect is never followed.*Set `base-url`/;
const SOMETHING_ELSE = /could not be read: a web page.*Something other than the compliance service answered/s;
const CUT_OFF = /could not be read: not JSON, or cut off/;
const SILENCE = /did not answer while .*: no response for \d+ s.*Check `base-url` and the network/s;
const RESET = /did not answer while .*: (read ECONNRESET|other side closed)/;
const OFF_CONTRACT = /This response is not part of the service's contract/;
const MAY_EXIST =
  /It may exist and be billed\..*Look in the service for a submission with 1 asset, created about .* UTC, with the metadata repository/s;
const KEPT = /may still be analysing.*could not save its state, so a re-run submits and bills all files again/s;
const NOT_RETRIED = /could not analyse the file: ANALYSIS_ERROR: The decoder gave up\. It was not retried/;
const STORAGE_REFUSED = /The storage did not take the file: it answered 4\d\d.*contact the service's support/s;
const NOTHING_AMISS = /verdict pass/;

// biome-ignore format: a table
const TABLE: readonly (readonly [Endpoint, readonly Row[]])[] = [
  ['uploads/direct', [
    [400, 'error', 'refused', 0, OFF_CONTRACT],
    [401, 'error', 'auth', 0, KEY],
    [402, 'error', 'plan', 0, PLAN],
    [403, 'error', 'refused', 0, /does not accept the name of this file. Rename it/],
    [404, 'error', 'bad-input', 0, /answered 404 while uploading.*Set `base-url`/s],
    [409, 'error', 'refused', 0, OFF_CONTRACT],
    [413, 'pass', '', 1, /a\.png: uploaded to its storage/],
    [415, 'error', 'refused', 0, /does not accept this type of file.*Convert the file/],
    [422, 'error', 'refused', 0, /does not accept the name or the type of this file/],
    [429, 'error', 'service', 0, RATE_LIMIT],
    [500, 'error', 'service', 0, OUTAGE],
    [502, 'error', 'service', 0, OUTAGE],
    [301, 'error', 'bad-input', 0, REDIRECT],
    [307, 'error', 'bad-input', 0, REDIRECT],
    ['web page', 'error', 'results', 0, SOMETHING_ELSE],
    ['half a JSON', 'error', 'results', 0, CUT_OFF],
    ['nothing', 'error', 'service', 0, SILENCE],
    ['a reset', 'error', 'service', 0, RESET],
  ]],
  ['uploads/url', [
    [401, 'error', 'auth', 0, KEY],
    [402, 'error', 'plan', 0, PLAN],
    [403, 'error', 'refused', 0, /does not accept the name of this file/],
    [415, 'error', 'refused', 0, /does not accept this type of file/],
    [422, 'error', 'refused', 0, /does not accept the name or the type of this file/],
    [429, 'error', 'service', 0, RATE_LIMIT],
    [503, 'error', 'service', 0, OUTAGE],
    [307, 'error', 'bad-input', 0, REDIRECT],
    ['web page', 'error', 'results', 0, SOMETHING_ELSE],
    ['half a JSON', 'error', 'results', 0, CUT_OFF],
  ]],
  ['storage/put', [
    [400, 'error', 'refused', 0, STORAGE_REFUSED],
    [403, 'error', 'refused', 0, /refused two fresh upload addresses/],
    [404, 'error', 'refused', 0, STORAGE_REFUSED],
    [413, 'error', 'refused', 0, STORAGE_REFUSED],
    [429, 'error', 'service', 0, /it answered 429.*when the storage is available again/s],
    [503, 'error', 'service', 0, /it answered 503.*when the storage is available again/s],
    [307, 'error', 'refused', 0, /The storage did not take the file: it answered 307/],
    // Any 2xx of the storage is a success, so the service reports the missing bytes.
    ['web page', 'error', 'refused', 1, /Nothing was uploaded to this workspace/],
  ]],
  ['submissions/create', [
    [400, 'error', 'bad-input', 1, /only with a sandbox key/],
    [401, 'error', 'auth', 1, KEY],
    [402, 'error', 'plan', 1, PLAN],
    [403, 'error', 'refused', 1, /does not accept the path of an uploaded file/],
    [404, 'error', 'refused', 1, /does not find something that the submission refers to/],
    [409, 'error', 'refused', 1, OFF_CONTRACT],
    [413, 'error', 'refused', 1, /larger than the service accepts for its kind/],
    [415, 'error', 'refused', 1, /does not accept this type of file/],
    [422, 'error', 'refused', 2, /The submission held 1 asset.*or the number of assets/s],
    [429, 'error', 'service', 'several', RATE_LIMIT],
    [500, 'error', 'service', 'several', MAY_EXIST],
    [502, 'error', 'service', 'several', MAY_EXIST],
    [503, 'error', 'service', 1, MAY_EXIST],
    [504, 'error', 'service', 1, MAY_EXIST],
    [524, 'error', 'service', 1, MAY_EXIST],
    [301, 'error', 'bad-input', 1, REDIRECT],
    [307, 'error', 'bad-input', 1, REDIRECT],
    ['web page', 'error', 'results', 1, MAY_EXIST],
    ['half a JSON', 'error', 'results', 1, MAY_EXIST],
    ['nothing', 'error', 'service', 1, MAY_EXIST],
    ['a reset', 'error', 'service', 1, MAY_EXIST],
  ]],
  ['submissions/read', [
    [400, 'error', 'refused', 1, OFF_CONTRACT],
    [401, 'error', 'auth', 1, KEY],
    [402, 'error', 'plan', 1, PLAN],
    [403, 'error', 'refused', 1, OFF_CONTRACT],
    [404, 'error', 'results', 1, /does not find this in the workspace of the API key/],
    [422, 'error', 'refused', 1, OFF_CONTRACT],
    [429, 'error', 'service', 1, KEPT],
    [502, 'error', 'service', 1, KEPT],
    [504, 'error', 'service', 1, OUTAGE],
    [301, 'error', 'bad-input', 1, REDIRECT],
    ['web page', 'error', 'results', 1, SOMETHING_ELSE],
    ['half a JSON', 'error', 'results', 1, CUT_OFF],
    ['nothing', 'error', 'service', 1, KEPT],
    ['a reset', 'error', 'service', 1, KEPT],
  ]],
  ['assets/read', [
    [401, 'error', 'auth', 1, KEY],
    [402, 'error', 'plan', 1, PLAN],
    [404, 'error', 'results', 1, /The service answered 404 while reading an asset/],
    [429, 'error', 'service', 1, RATE_LIMIT],
    [500, 'error', 'service', 1, OUTAGE],
    ['web page', 'error', 'results', 1, SOMETHING_ELSE],
  ]],
  ['assets/issues', [
    [401, 'error', 'auth', 1, KEY],
    [404, 'error', 'results', 1, /does not find this in the workspace of the API key/],
    [429, 'error', 'service', 1, RATE_LIMIT],
    [500, 'error', 'service', 1, OUTAGE],
    ['web page', 'error', 'results', 1, SOMETHING_ELSE],
    ['half a JSON', 'error', 'results', 1, CUT_OFF],
  ]],
  // They are optional details.
  ['assets/topics', [
    [402, 'pass', '', 1, NOTHING_AMISS],
    [404, 'pass', '', 1, NOTHING_AMISS],
    [429, 'pass', '', 1, NOTHING_AMISS],
    [500, 'pass', '', 1, NOTHING_AMISS],
    ['web page', 'pass', '', 1, NOTHING_AMISS],
  ]],
  ['assets/retry', [
    [401, 'error', 'auth', 1, KEY],
    [402, 'error', 'plan', 1, PLAN],
    [404, 'error', 'asset-failed', 1, NOT_RETRIED],
    [409, 'error', 'asset-failed', 1, NOT_RETRIED],
    [422, 'error', 'asset-failed', 1, NOT_RETRIED],
    [429, 'error', 'asset-failed', 1, NOT_RETRIED],
    [503, 'error', 'asset-failed', 1, NOT_RETRIED],
    ['web page', 'error', 'asset-failed', 1, NOT_RETRIED],
  ]],
];

/** What makes the gate use an endpoint. */
const SCENARIOS: Partial<Record<Endpoint, Scenario>> = {
  'assets/issues': { default: { issues: [{ severity: 'MINOR' }], resultShort: 0 } },
  'assets/topics': { default: { issues: [{ severity: 'MINOR' }, { severity: 'INFO' }] } },
  'assets/retry': { default: { fails: { errorMessage: 'The decoder gave up.' } } },
};

const RUNS_AT_ONCE = 6;
/** The last read has 5 seconds, which are 250 ms here: on a busy machine the emulator takes longer than 125 ms. */
const CLOCK_FACTOR = 20;

const cases = TABLE.flatMap(([endpoint, rows]) => rows.map((row) => ({ endpoint, row })));
const runs = new Map<string, ServiceRun>();
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator();
  const small = await makeWorkspace({ 'a.png': png('a') });
  const large = await makeWorkspace({ 'a.mp4': mp4('a', 10_000_001) });
  await concurrently(cases, RUNS_AT_ONCE, async ({ endpoint, row }) => {
    const isLarge = endpoint === 'uploads/url' || endpoint === 'storage/put';
    const scenario = { ...SCENARIOS[endpoint], faults: [{ on: endpoint, ...faultOf(row[0]) }] };
    const workspace = (isLarge ? large : small).path;
    runs.set(
      `${endpoint} ${row[0]}`,
      await runAction({
        emulator,
        workspace,
        scenario,
        clockFactor: CLOCK_FACTOR,
        inputs: { 'wait-timeout-minutes': '1' },
      }),
    );
  });
  await Promise.all([small.remove(), large.remove()]);
}, 300_000);
afterAll(async () => await emulator.close());

function faultOf(answer: Answer): object {
  if (answer === 'web page') return { html: 200 };
  if (answer === 'half a JSON') return { malformedJson: true };
  if (answer === 'nothing') return { stall: true };
  if (answer === 'a reset') return { reset: true };
  if (answer === 307) return { redirect: 'https://elsewhere.example/api?sig=secret' };
  return { status: answer, ...(answer === 301 && { headers: { location: 'https://elsewhere.example/api' } }) };
}

describe.each(TABLE)('%s always answers', (endpoint, rows) => {
  it.each(rows)('%s: %s %s, %s creations', (answer, verdict, reason, creations, says) => {
    const run = runs.get(`${endpoint} ${answer}`);
    if (!run) throw new Error('This row was not run.');

    expect(run.count(endpoint)).toBeGreaterThan(0);
    expect(run.outputs).toMatchObject({ verdict, reason });
    expect(run.exitCode).toBe(verdict === 'pass' ? 0 : 1);
    expect(run.text).toMatch(says);
    const requests = run.count('submissions/create');
    expect(requests > 3 ? 'several' : requests).toBe(creations);
    expect(run.service.submissions.length).toBeLessThan(2);

    expect(Object.keys(run.outputs).toSorted()).toEqual(OUTPUT_NAMES.toSorted());
    expect(run.text).not.toContain(run.service.key);
    expect(run.text).not.toMatch(/sig=/);
    expect(run.text).not.toContain('The action itself failed');
    // Texts that Node prints for a warning or an uncaught error.
    expect(run.text).not.toMatch(/^\(node:|^Node\.js v/m);
  });
});

import { expect } from 'vitest';
import { GateError } from '../../src/causes/cause.ts';
import { ConnectionError, type HttpResponse } from '../../src/http/http.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { metadataOf, submit } from '../../src/service/submit.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { content } from '../builders/media.ts';
import { clientOf, deadlineIn, type Reply, response, responseOf } from '../builders/service.ts';

const [a, b] = [content('a'), content('b')];
const UPLOADS = [a, b].map((each) => ({ content: each, blobPath: `ws/${each.sha256}` }));
const CREATE = 'POST /submissions';
const CREATED = response(201, { submissionId: 'S', assets: [{ assetId: '1' }, { assetId: '2' }] });

type SubmitOptions = Parameters<typeof submit>[1];

interface Facts extends Partial<SubmitOptions> {
  readonly uploads?: typeof UPLOADS;
  readonly mode?: Mode;
  readonly stopsAfterMs?: number;
  /** What the service says about a submission to which the new one is linked. */
  readonly linked?: (id: string) => Reply;
}

/** Submits to a service with these replies, the last of which it gives to all further requests. */
async function submitted(
  replies: readonly Reply[],
  { uploads = UPLOADS, mode, stopsAfterMs, linked = () => 404, ...options }: Facts = {},
) {
  const reply = (nth: number): Reply => replies[nth - 1] ?? replies.at(-1) ?? CREATED;
  const { client, log, sent, requests, warnings } = clientOf(
    (request, nth) => responseOf(request.startsWith('GET ') ? linked(request.split('/').at(-1) ?? '') : reply(nth)),
    mode,
  );
  const stop = new AbortController();
  if (stopsAfterMs !== undefined) setTimeout(() => stop.abort(new Error('stopped')), stopsAfterMs);
  const deadline = { ...deadlineIn(1), signal: stop.signal };
  const nothing = { sidekickIds: undefined, metadata: undefined, simulationDelaySeconds: undefined };
  const all = { ...nothing, previousSubmissionIds: new Map(), ...options };
  const { value } = await inFakeTime(
    async () =>
      await submit(uploads, all, { client, log, deadline }).then(
        (open) => ({ open, causes: [] }),
        (error: unknown) => ({ open: undefined, causes: error instanceof GateError ? error.causes : [] }),
      ),
  );
  const bodies = sent.flatMap(({ body }) => (typeof body === 'string' ? [JSON.parse(body)] : []));
  return { ...value, bodies, warnings, creations: requests.filter((request) => request.startsWith(CREATE)) };
}

const LINKS = { previousSubmissionIds: new Map([[a.sha256, 'P']]) };
const METADATA = { metadata: { team: 'legal' } };
const BARE = { assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b' }] };
const LINKED = { assets: [{ blobPath: 'ws/a', previousSubmissionId: 'P' }, { blobPath: 'ws/b' }] };
const EMPTY = { sidekickIds: [], ...METADATA };

it.for<[string, Partial<SubmitOptions>, string, object]>([
  ['the paths alone', {}, '', BARE],
  ['all that is set, empty or 0', { ...EMPTY, ...LINKS, simulationDelaySeconds: 0 }, '0', { ...EMPTY, ...LINKED }],
])('what is sent: %s', async ([, options, delay, body]) => {
  const { open, creations, bodies } = await submitted([CREATED], options);
  const query = delay === '' ? '' : `?simulationDelaySeconds=${delay}`;
  expect([creations, bodies]).toEqual([[CREATE + query], [body]]);
  expect(open).toEqual({ submissionId: 'S', notice: undefined, mayExistTwice: false });
});

it('the metadata of the input count more than those of the run', () => {
  const origin = { repository: 'acme/ads', commit: 'c', ref: 'r', runUrl: 'u' };
  expect(metadataOf({ commit: 'mine' }, origin)).toEqual({ ...origin, commit: 'mine' });
  expect(metadataOf('none', origin)).toBeUndefined();
});

it('nothing is created if two files share one path', async () => {
  const shared = UPLOADS.map((each) => ({ ...each, blobPath: 'ws/x' }));
  const { causes, creations } = await submitted([CREATED], { uploads: shared });
  expect(creations).toEqual([]);
  expect(causes).toMatchObject([{ reason: 'refused', message: expect.stringContaining('under one path: a, b.') }]);
});

it('a creation that is refused with 422 is sent once more without links and metadata', async () => {
  const options = { ...LINKS, ...METADATA, sidekickIds: ['s'] };
  const { open, bodies } = await submitted([422, CREATED], options);
  expect(bodies).toEqual([expect.anything(), { ...BARE, sidekickIds: ['s'] }]);
  expect(open?.notice).toMatch(/^The submission was created without metadata and links to earlier versions, because/);
});

const TWO_LINKS = new Map([
  [a.sha256, 'P'],
  [b.sha256, 'Q'],
]);

it.for<[string, Readonly<Record<string, number>>, unknown, string]>([
  ['one is missing', { P: 404 }, [undefined, 'Q'], 'some links to earlier versions'],
  ['both are missing', { P: 404, Q: 404 }, [undefined, undefined], 'links to earlier versions'],
  ['none is missing', {}, [undefined, undefined], 'links to earlier versions'],
  ['one cannot be read', { P: 404, Q: 403 }, [undefined, 'Q'], 'some links to earlier versions'],
])('a creation that is refused with 404 is sent once more without missing links: %s', async ([, gone, links, what]) => {
  const given = { previousSubmissionIds: TWO_LINKS, ...METADATA };
  const linked = (id: string): Reply => gone[id] ?? { submissionId: id, status: 'complete', assets: [] };
  const { open, bodies } = await submitted([404, CREATED], { ...given, linked });
  expect(bodies[1]).toMatchObject(METADATA);
  expect(
    bodies[1].assets.map(({ previousSubmissionId }: { previousSubmissionId?: string }) => previousSubmissionId),
  ).toEqual(links);
  expect(open?.notice).toContain(`The submission was created without ${what}, because the service refused`);
});

it.for<[number, string, Partial<SubmitOptions>, number]>([
  [422, 'with links and metadata', { ...LINKS, ...METADATA }, 2],
  [404, 'with links', LINKS, 2],
  [422, 'with sidekicks', { sidekickIds: ['s'] }, 1],
  [404, 'with files only', {}, 1],
  [413, 'with metadata', METADATA, 1],
])('a creation that is refused with %d each time is final: %s', async ([status, , options, count]) => {
  const { causes, creations } = await submitted([status], options);
  expect(causes[0]).toMatchObject({ reason: 'refused' });
  expect(creations).toHaveLength(count);
});

const [NONE, ONE, TWO] = ['', 'One submission may exist and be billed', 'Two submissions may exist and be billed'];

// biome-ignore format: a table
it.for<[string, readonly Reply[], readonly string[], string, count?: number]>([
  ['422', [422], ['refused'], NONE],
  ['429', [response(429, {}, '3600')], ['service'], NONE],
  ['500, then created', [500, CREATED], [], TWO, 2],
  ['502 and 500: no third time', [502, 500], ['service'], TWO, 2],
  ['500, then refused', [500, 403], ['refused', 'service'], ONE, 2],
  ['never connected', [new ConnectionError('refused', 'no access')], ['bad-input'], NONE],
  ['lost after sending', [new ConnectionError('it broke', 'lost')], ['service'], ONE],
  ['an unreadable response', [200], ['results'], ONE],
  ['a 201 with a path as its id', [response(201, { submissionId: '../x?' })], ['results'],
    'One submission exists and is billed'],
  ['a 201 without a readable id', [201], ['results'], 'One submission exists and is billed'],
])('how many submissions may exist: %s', async ([, replies, reasons, says, count = 1]) => {
  const { open, causes, creations, warnings } = await submitted(replies);
  expect(creations).toHaveLength(count);
  expect(open?.mayExistTwice ?? true).toBe(true);
  expect(causes.map(({ reason }) => reason)).toEqual(reasons);
  expect(causes.at(-1)?.submission).toBe(open || says === NONE ? undefined : 'unconfirmed');
  expect(open ? warnings.join() : causes.at(-1)?.message).toContain(says);
});

it('the message begins with the last failure, and the advice says what identifies a submission', async () => {
  const [cause] = (await submitted([response(500, 'first'), response(504, 'second')])).causes;
  expect(cause?.message).toMatch(/^The compliance service is down \(504\)\. Two/);
  expect(cause?.steps[1]?.text).toMatch(/another submission of these files and this time, that one is billed/);
});

it('a run that is stopped before the repeat still says that a submission may exist', async () => {
  const { causes, creations } = await submitted([502], { stopsAfterMs: 1_000 });
  expect(causes).toMatchObject([{ reason: 'cancelled', submission: 'unconfirmed' }]);
  expect(creations).toHaveLength(1);
});

const said = (status: number, detail: string): HttpResponse => response(status, { detail });

// biome-ignore format: a table
it.for<[string, HttpResponse, (string | undefined)[], string, number?]>([
  ['the one whose name the service names', said(415, `Wrong bytes in ${b.name}`), ['b'], 'Wrong bytes'],
  ['the one whose path it names', said(413, 'Too large: ws/a'), ['a'], 'Too large'],
  ['none, if the service names none', said(413, 'Too large'), [undefined], '413'],
  ['none, if it is about the key', said(401, `about ${b.name}`), [undefined], '401'],
])('which file is refused: %s', async ([, reply, paths, message, files]) => {
  const { causes } = await submitted([reply], { uploads: UPLOADS.slice(0, files) });
  expect(causes.map(({ path }) => path)).toEqual(paths);
  expect(`${causes[0]?.message} ${causes[0]?.detail}`).toContain(message);
});

it.for<[number, boolean]>([
  [20, true],
  [19, false],
])('the advice after a refusal of %i assets names monorepo-matrix.yml: %s', async ([length, isNamed]) => {
  const uploads = Array.from({ length }, (_, index) => ({ content: content(`${index}`), blobPath: `ws/${index}` }));
  const { causes } = await submitted([422], { uploads });
  expect(JSON.stringify(causes).includes('`monorepo-matrix.yml`')).toBe(isNamed);
});

import { expect } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import { metadataOf, type SubmitOptions, submit } from '../../src/service/submit.ts';
import { content } from '../builders/media.ts';
import { clientOf, deadlineIn, inFakeTime, it, response, type Service } from './fake-service.ts';

const [a, b] = [content('a'), content('b')];
const UPLOADS = [
  { content: a, blobPath: 'ws/a' },
  { content: b, blobPath: 'ws/b' },
];
const CREATE = 'POST /submissions';
const CREATED = response(201, { submissionId: 'S', workflowId: 'W', assets: [{ assetId: '1' }, { assetId: '2' }] });

async function submitted(service: Service, options: Partial<SubmitOptions> = {}, uploads = UPLOADS, stopsAfterMs = 0) {
  const { client, log, sent, requests, warnings } = clientOf(service);
  const stop = new AbortController();
  if (stopsAfterMs > 0) setTimeout(() => stop.abort(new Error('stopped')), stopsAfterMs);
  const deadline = { ...deadlineIn(1), signal: stop.signal };
  const nothing = { sidekickIds: undefined, metadata: undefined, simulationDelaySeconds: undefined };
  const all = { ...nothing, previousSubmissionIds: new Map(), ...options };
  const { value } = await inFakeTime(
    async () =>
      await submit(uploads, all, { client, log, deadline }).then(
        (open) => ({ open, causes: [] }),
        (error: unknown) => ({ open: undefined, causes: error instanceof GateError ? error.causes : [error] }),
      ),
  );
  const bodies = sent.flatMap(({ body }) => (typeof body === 'string' ? [JSON.parse(body)] : []));
  return { ...value, bodies, warnings, creations: requests.filter((request) => request.startsWith(CREATE)) };
}

it.for<[string, Partial<SubmitOptions>, string, object]>([
  ['the paths alone', {}, CREATE, { assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b' }] }],
  [
    'everything else that is set, empty or 0',
    {
      sidekickIds: [],
      metadata: { team: 'legal' },
      simulationDelaySeconds: 0,
      previousSubmissionIds: new Map([[b.sha256, 'P']]),
    },
    `${CREATE}?simulationDelaySeconds=0`,
    {
      assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b', previousSubmissionId: 'P' }],
      sidekickIds: [],
      metadata: { team: 'legal' },
    },
  ],
])('what is sent: %s', async ([, options, request, body]) => {
  const { open, creations, bodies } = await submitted(() => CREATED, options);
  expect([creations, bodies]).toEqual([[request], [body]]);
  expect(open).toMatchObject({
    submissionId: 'S',
    contents: [a, b],
    assetIds: ['1', '2'],
    workflowId: 'W',
    mayExistTwice: false,
  });
});

it('the metadata of the input count more than those of the run', () => {
  const origin = { repository: 'acme/ads', commit: 'c', ref: 'r', runUrl: 'u' };
  expect(metadataOf({ commit: 'mine' }, origin)).toEqual({ ...origin, commit: 'mine' });
  expect(metadataOf('none', origin)).toBeUndefined();
});

it('nothing is created if two files share one path', async () => {
  const shared = UPLOADS.map((each) => ({ ...each, blobPath: 'ws/x' }));
  const { causes, creations } = await submitted(() => CREATED, {}, shared);
  expect(creations).toEqual([]);
  expect(causes).toMatchObject([{ reason: 'refused', message: expect.stringContaining('under one path: a, b.') }]);
});

const LINKS = { previousSubmissionIds: new Map([[a.sha256, 'one']]) };
const METADATA = { metadata: { team: 'legal' } };
const BARE = { assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b' }] };

it.for<[number, Partial<SubmitOptions>, string]>([
  [404, LINKS, 'links to earlier versions'],
  [422, LINKS, 'links to earlier versions'],
  [422, METADATA, 'metadata'],
  [404, { ...LINKS, ...METADATA, sidekickIds: ['s'] }, 'links to earlier versions and metadata'],
])('a creation that is refused with %d for %j is sent once more without %s', async ([status, options, leftOut]) => {
  const { open, bodies } = await submitted((_, nth) => (nth === 1 ? response(status) : CREATED), options);
  const { sidekickIds } = options;
  expect(bodies).toEqual([expect.anything(), { ...BARE, ...(sidekickIds && { sidekickIds }) }]);
  expect(open?.previousSubmissionIds.size).toBe(0);
  expect(open?.notice).toContain(`created without ${leftOut}, because the service refused it with them`);
});

it.for<[number, Partial<SubmitOptions>, number]>([
  [422, { ...LINKS, ...METADATA }, 2],
  [404, LINKS, 2],
  [422, { sidekickIds: ['s'] }, 1],
  [404, {}, 1],
  [413, METADATA, 1],
])('a creation that is refused with %d each time for %j is final', async ([status, options, count]) => {
  const { causes, creations } = await submitted(() => response(status), options);
  expect(causes[0]).toMatchObject({ reason: 'refused' });
  expect(creations).toHaveLength(count);
});

// biome-ignore format: a table
it.for<[string, readonly number[], number]>([
  ['500: once more',               [500],      2],
  ['502 and 500: no third time',   [502, 500], 2],
  ['500, then refused',            [500, 403], 2],
  ['503: it may be under way',     [503],      1],
])('a creation that the service did not confirm: %s', async ([, statuses, count]) => {
  const { open, causes, creations, warnings } = await submitted((_, nth) => {
    const status = statuses[nth - 1];
    return status === undefined ? CREATED : response(status);
  });
  expect(creations).toHaveLength(count);
  const isCreated = statuses.length < count;
  expect(open?.mayExistTwice).toBe(isCreated ? true : undefined);
  expect(warnings).toEqual(isCreated ? [expect.stringContaining('Two submissions may exist and be billed')] : []);
  expect(causes.at(-1)).toEqual(isCreated ? undefined : expect.objectContaining({ submission: 'unconfirmed' }));
});

it('a run that is stopped before the repeat still says that a submission may exist', async () => {
  const { causes, creations } = await submitted(() => response(502), {}, UPLOADS, 1_000);
  expect(causes).toMatchObject([{ reason: 'cancelled', submission: 'unconfirmed' }]);
  expect(creations).toHaveLength(1);
});

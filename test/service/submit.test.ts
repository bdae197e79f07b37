import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import { metadataOf, type SubmitOptions, submit } from '../../src/service/submit.ts';
import { answer, clientOf, content, type Service } from './things.ts';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const [a, b] = [content('a'), content('b')];
const UPLOADS = [
  { content: a, blobPath: 'ws/a' },
  { content: b, blobPath: 'ws/b' },
];
const PLAIN: SubmitOptions = {
  sidekickIds: undefined,
  metadata: undefined,
  simulationDelaySeconds: undefined,
  previousSubmissionIds: new Map(),
};
const CREATED = answer(201, { submissionId: 'S', workflowId: 'W', assets: [{ assetId: '1' }, { assetId: '2' }] });

/** Creates a submission of two files, and records everything that was sent. */
async function submitted(service: Service, options: Partial<SubmitOptions> = {}, uploads = UPLOADS) {
  const { client, log, requests, bodies, lines } = clientOf(service);
  const deadline = { signal: new AbortController().signal, until: Date.now() + MINUTE };
  const ended = submit(uploads, { ...PLAIN, ...options }, { client, log, deadline }).then(
    (open) => ({ open, causes: [] }),
    (error: unknown) => ({ open: undefined, causes: error instanceof GateError ? error.causes : [error] }),
  );
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  return { ...(await ended), requests, bodies, lines };
}

describe('what is sent', () => {
  it.each<[string, Partial<SubmitOptions>, string, object]>([
    ['the paths alone', {}, '/submissions', { assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b' }] }],
    [
      'everything else that is set, empty or 0',
      {
        sidekickIds: [],
        metadata: { team: 'legal' },
        simulationDelaySeconds: 0,
        previousSubmissionIds: new Map([[b.sha256, 'P']]),
      },
      '/submissions?simulationDelaySeconds=0',
      {
        assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b', previousSubmissionId: 'P' }],
        sidekickIds: [],
        metadata: { team: 'legal' },
      },
    ],
  ])('%s', async (_, options, path, body) => {
    const { requests, bodies } = await submitted(() => CREATED, options);
    expect([requests, bodies]).toEqual([[`POST ${path}`], [body]]);
  });

  it('the metadata of the input count more than those of the run', () => {
    const origin = { repository: 'acme/ads', commit: 'c', ref: 'r', runUrl: 'u' };
    expect(metadataOf({ commit: 'mine' }, origin)).toEqual({ ...origin, commit: 'mine' });
    expect(metadataOf('none', origin)).toBeUndefined();
  });
});

it('what was created is known by its identifiers', async () => {
  const previousSubmissionIds = new Map([[a.sha256, 'P']]);
  const { open } = await submitted(() => CREATED, { previousSubmissionIds });
  expect(open).toEqual({
    submissionId: 'S',
    contents: [a, b],
    assetIds: ['1', '2'],
    isNew: true,
    workflowId: 'W',
    previousSubmissionIds,
  });
});

it('nothing is created if two files share one path', async () => {
  const shared = UPLOADS.map((each) => ({ ...each, blobPath: 'ws/x' }));
  const { causes, requests } = await submitted(() => CREATED, {}, shared);
  expect(requests).toEqual([]);
  expect(causes).toMatchObject([{ reason: 'refused', message: expect.stringContaining('under one path: a, b.') }]);
});

const refusing: Service = (_, nth) => (nth === 1 ? answer(422, { detail: 'No metadata.' }) : CREATED);

describe('metadata that are refused', () => {
  it('are left out, once', async () => {
    const { open, bodies, lines } = await submitted(refusing, { metadata: { team: 'legal' }, sidekickIds: ['s'] });
    expect(open?.submissionId).toBe('S');
    expect(bodies[1]).toEqual({ assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b' }], sidekickIds: ['s'] });
    expect(lines[0]).toContain('No metadata. Trying once more without metadata.');
  });

  it('cannot be the reason if there are none', async () => {
    const { causes, requests } = await submitted(refusing);
    expect(causes).toMatchObject([{ reason: 'refused' }]);
    expect(requests).toHaveLength(1);
  });
});

describe('an earlier version that the service does not find', () => {
  const previousSubmissionIds = new Map([
    [a.sha256, 'gone'],
    [b.sha256, 'there'],
  ]);
  const there = answer(200, { submissionId: 'there', status: 'complete', assets: [] });

  it('loses its link, and only that one', async () => {
    const { open, bodies, lines } = await submitted(
      (request, nth) => {
        if (request === 'POST /submissions') return nth === 1 ? answer(404) : CREATED;
        return request.endsWith('/gone') ? answer(404) : there;
      },
      { previousSubmissionIds },
    );
    expect(bodies[1]).toEqual({ assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b', previousSubmissionId: 'there' }] });
    expect(open?.previousSubmissionIds).toEqual(new Map([[b.sha256, 'there']]));
    expect(lines[0]).toContain('no longer has the earlier version of some files (gone)');
  });

  it('is the refusal itself if all are there', async () => {
    const { causes, requests } = await submitted(
      (request) =>
        request === 'POST /submissions'
          ? answer(404)
          : { ...there, text: there.text.replace('there', request.slice(17)) },
      { previousSubmissionIds },
    );
    expect(causes).toMatchObject([{ reason: 'refused' }]);
    expect(requests.filter((request) => request === 'POST /submissions')).toHaveLength(1);
  });
});

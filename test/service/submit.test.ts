import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import { metadataOf, type SubmitOptions, submit, withMoved } from '../../src/service/submit.ts';
import { clientOf, content, inFakeTime, MINUTE, response, type Service } from './things.ts';

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
const CREATED = response(201, { submissionId: 'S', workflowId: 'W', assets: [{ assetId: '1' }, { assetId: '2' }] });

/** Creates a submission of two files, and records everything that was sent. */
async function submitted(service: Service, options: Partial<SubmitOptions> = {}, uploads = UPLOADS) {
  const { client, log, requests, bodies, lines } = clientOf(service);
  const deadline = { signal: new AbortController().signal, until: Date.now() + MINUTE };
  const { value } = await inFakeTime(
    async () =>
      await submit(uploads, { ...PLAIN, ...options }, { client, log, deadline }).then(
        (open) => ({ open, causes: [] }),
        (error: unknown) => ({ open: undefined, causes: error instanceof GateError ? error.causes : [error] }),
      ),
  );
  return { ...value, requests, bodies, lines };
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
    createdAt: expect.stringMatching(/Z$/),
    contents: [a, b],
    assetIds: ['1', '2'],
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

const refusing: Service = (_, nth) => (nth === 1 ? response(422, { detail: 'No metadata.' }) : CREATED);

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
    [a.sha256, 'one'],
    [b.sha256, 'two'],
  ]);
  const CREATE = 'POST /submissions';

  // biome-ignore format: a table
  it.each<[string, readonly string[], readonly string[]]>([
    ['loses its link, and only that one',                           ['one'],        ['two']],
    ['loses all links, if each earlier submission can be read',     [],             []],
    ['loses all links, if each earlier submission is gone',         ['one', 'two'], []],
  ])('%s', async (_, gone, linked) => {
    const { open, bodies, lines, requests } = await submitted(
      (request, nth) => {
        if (request === CREATE) return nth === 1 ? response(404) : CREATED;
        const submissionId = request.slice('GET /submissions/'.length);
        return gone.includes(submissionId) ? response(404) : response(200, { submissionId, status: 'complete', assets: [] });
      },
      { previousSubmissionIds },
    );
    expect(requests.filter((request) => request === CREATE)).toHaveLength(2);
    expect(bodies[1]).toEqual({ assets: [{ blobPath: 'ws/a' }, { blobPath: 'ws/b', ...(linked.includes('two') && { previousSubmissionId: 'two' }) }] });
    expect([...(open?.previousSubmissionIds.values() ?? [])]).toEqual(linked);
    expect(lines[0]).toContain(`does not find the earlier version of some files (${(gone.length > 0 ? gone : ['one', 'two']).join(', ')})`);
  });

  it.each([
    ['a second time', previousSubmissionIds, 2],
    ['although none was named', new Map<string, string>(), 1],
  ])('%s is a refusal', async (_, links, creations) => {
    const { causes, requests } = await submitted(() => response(404), { previousSubmissionIds: links });
    expect(causes).toMatchObject([{ reason: 'refused' }]);
    expect(requests.filter((request) => request === CREATE)).toHaveLength(creations);
  });
});

it('files that a retry moved are awaited in its submission only', () => {
  const open = { submissionId: 'S', createdAt: '', contents: [a, b], assetIds: [] };
  const [other, moved] = [
    { ...open, submissionId: 'R', contents: [] },
    { ...open, submissionId: 'T', contents: [b] },
  ];
  expect(withMoved([open, other], moved)).toEqual([{ ...open, contents: [a] }, other, moved]);
});

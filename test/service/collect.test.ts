import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cause } from '../../src/lib/cause.ts';
import { collect } from '../../src/service/collect.ts';
import type { ListedAsset, SubmissionResponse } from '../../src/service/responses.ts';
import type { WaitedSubmission } from '../../src/service/wait.ts';
import { clientOf, content, inFakeTime, listedAsset, response, type Service } from './things.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const contents = [content('a'), content('b')];
const TIMEOUT: Cause = { reason: 'timeout', message: 'Too late.', fix: '', submission: 'open' };
const READ = 'GET /submissions/S';
const [A, B] = [`${READ}/assets/a`, `${READ}/assets/b`];
const MISSING = response(404);

/** The asset with this id is the file of the same name. */
function own(id: string, facts: object = {}) {
  return response(200, { assetId: id, filename: content(id).name, status: 'complete', ...facts });
}

function submission(...assets: ListedAsset[]): SubmissionResponse {
  return { submissionId: 'S', status: 'complete', workflowId: null, progressPercent: null, errorMessage: null, assets };
}

const COUNTED = ['a', 'b'].map((id) => listedAsset(id, { issueCount: 0 }));

interface Situation extends Partial<WaitedSubmission> {
  readonly minutes?: number;
}

/** Undefined stands for a response in which nothing is missing. */
type PartialService = (...request: Parameters<Service>) => ReturnType<Service> | undefined;

/** Reads what is left to read of a submission of two files, and says what became of each. */
async function collected(service: PartialService, facts: Situation = {}) {
  const { client, requests } = clientOf((request, nth) => {
    const given = service(request, nth);
    if (given) return given;
    return request === READ ? response(200, submission(...COUNTED)) : own(request.slice(-1));
  });
  const { minutes = 30, ...waited } = facts;
  const deadline = { signal: new AbortController().signal, until: Date.now() + minutes * 60_000 };
  const { value: analyses, ms } = await inFakeTime(
    async () =>
      await collect(
        {
          submission: { submissionId: 'S', createdAt: '', contents, assetIds: ['a', 'b'] },
          response: submission(...COUNTED),
          retries: new Map(),
          interruption: undefined,
          ...waited,
        },
        { client, mode: 'live', deadline },
      ),
  );
  const short = analyses.map(({ outcome, issues, causes }) =>
    [outcome, ...issues.map(({ id }) => id), ...causes.map(({ reason }) => reason)].join(' '),
  );
  return { analyses, short, requests, seconds: Math.round(ms / 1000) };
}

describe('every asset is read', () => {
  it('once, if nothing is missing, and its name says which file it is', async () => {
    const swapped: Service = (request) => own(request === A ? 'b' : 'a', { assetId: request.slice(-1) });
    const { analyses, short, requests, seconds } = await collected(swapped);
    expect([short, requests.toSorted(), seconds]).toEqual([['judged', 'judged'], [A, B], 0]);
    expect(analyses.map(({ assetId }) => assetId)).toEqual(['b', 'a']);
  });

  // biome-ignore format: a table
  it.each<[string, PartialService, Situation, string]>([
    ['a name',             (request, nth) => (request === B && nth < 5 ? MISSING : undefined),                                     {}, 'judged 8'],
    ['a status',           (request, nth) => (request === B && nth < 5 ? own('b', { status: 'processing' }) : undefined),           {}, 'judged 8'],
    ['the asset',          (request, nth) => (request === READ && nth < 4 ? response(200, submission(listedAsset('a'))) : undefined), { response: submission(listedAsset('a', { issueCount: 0 })) }, 'judged 8'],
    ['the list, as well',  (request, nth) => (request === READ && nth < 4 ? MISSING : undefined),                                   { response: submission(listedAsset('a', { issueCount: 0 })) }, 'judged 8'],
    ['an asset for good',  (request) => (request === B ? MISSING : undefined),                                                     {}, 'unjudged results 20'],
    ['a count for good',   (request) => (request === READ ? response(200, submission(listedAsset('a'), listedAsset('b'))) : undefined), { response: submission(listedAsset('a', { issueCount: 0 }), listedAsset('b')) }, 'unjudged results 20'],
  ])('again for 20 s if something is missing: %s', async (_, service, facts, expected) => {
    const { short, seconds, requests } = await collected(service, facts);
    expect([short[0], `${short[1]} ${seconds}`]).toEqual(['judged', expected]);
    expect(requests.filter((request) => request === A)).toHaveLength(1);
  });

  it('as failed at once, even if the next one is not there yet', async () => {
    const { short } = await collected((request) => (request === A ? own('a', { status: 'failed' }) : MISSING));
    expect(short).toEqual(['failed asset-failed', 'unjudged results']);
  });

  it('of an earlier submission, also those of other files', async () => {
    const { short } = await collected((request) => (request === B ? own('b', { filename: 'other.png' }) : undefined), {
      submission: { submissionId: 'S', createdAt: '', contents: contents.slice(0, 1), assetIds: [] },
    });
    expect(short).toEqual(['judged']);
  });
});

describe('after an interruption', () => {
  it('everything is read once, and what is there is judged', async () => {
    const { short, requests } = await collected((request) => (request === B ? MISSING : undefined), {
      interruption: TIMEOUT,
    });
    expect([short, requests.toSorted()]).toEqual([
      ['judged', 'unjudged timeout'],
      [A, B],
    ]);
  });

  it('the deadline leaves half a minute to read', async () => {
    const { short } = await collected((_, nth) => (nth === 1 ? response(429, {}, '10') : undefined), {
      minutes: 0,
      interruption: TIMEOUT,
    });
    expect(short).toEqual(['judged', 'judged']);
  });

  it('a submission that was never listed: nothing is judged, and its issues count', async () => {
    const issues = [{ id: 'x', severity: 'CRITICAL' }];
    const { short } = await collected(
      (request) => {
        if (request.endsWith('/issues')) return response(200, issues);
        return request === A ? own('a', { issueCount: 1 }) : own('b', { issueCount: 0 });
      },
      { response: undefined, interruption: TIMEOUT },
    );
    expect(short).toEqual(['unjudged x timeout', 'unjudged timeout']);
  });
});

describe('errors', () => {
  it('a rate limit that does not end stops all reads', async () => {
    const { short, requests } = await collected(() => response(429, {}, '7200'));
    expect([short, requests]).toEqual([
      ['unjudged service', 'unjudged service'],
      [A, B],
    ]);
  });

  it('401 ends the run, also while the list is read again', async () => {
    await expect(collected((request) => (request === A ? response(401) : undefined))).rejects.toMatchObject({
      status: 401,
    });
    const later = collected((request) => (request === B ? MISSING : request === READ ? response(401) : undefined));
    await expect(later).rejects.toMatchObject({ status: 401 });
  });
});

describe('topics and versions', () => {
  const issues = ['x', 'y'].map((id) => ({ id, severity: 'MINOR' }));
  const listed = [
    listedAsset('a', { issueCount: 2, versionNumber: 2, versionGroupId: 'g' }),
    listedAsset('b', { issueCount: 0 }),
  ];
  const [topics, versions] = [
    { topics: [{ title: 'Health', issues: ['x', 'y'] }] },
    [1, 2, 3].map(() => ({ versionGroupId: 'g' })),
  ];

  // biome-ignore format: a table
  it.each<[string, number, object]>([
    ['are added',                         200, { topics: [{ title: 'Health', issueIds: ['x', 'y'] }], versionCount: 3 }],
    ['are left out if they are missing',  404, { topics: [], versionCount: undefined }],
    ['are left out after a rate limit',   429, { topics: [], versionCount: undefined }],
    ['are left out if they are refused',  401, { topics: [], versionCount: undefined }],
  ])('%s', async (_, status, expected) => {
    const extra = (body: unknown) => (status === 200 ? response(200, body) : response(status, {}, '60'));
    const { analyses, requests } = await collected(
      (request) => {
        if (request.endsWith('/issues')) return response(200, issues);
        if (request.endsWith('/topics')) return extra(topics);
        return request.endsWith('/versions') ? extra(versions) : undefined;
      },
      { response: submission(...listed) },
    );
    expect(analyses).toMatchObject([
      { outcome: 'judged', ...expected },
      { outcome: 'judged', topics: [], versionCount: undefined },
    ]);
    // One list of versions is enough for all assets, and topics need two issues.
    const extras = requests.filter((request) => /topics|versions/.test(request));
    expect(extras).toEqual([`${READ}/versions`, ...(status === 200 || status === 404 ? [`${A}/topics`] : [])]);
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario, Workspace } from '../../emulator/emulator.ts';
import { type Endpoint, type Handler, json } from '../../emulator/http.ts';
import type { Asset } from '../../emulator/model.ts';

/** How a service that keeps to the interface may differ from the emulator: a handler before it, and a part of its scenario. */
export interface Manner {
  readonly handler?: (service: Workspace) => Handler;
  readonly scenario?: Scenario;
}

/** A response is JSON of any form, and a manner may make anything of it. */
type Json = ReturnType<typeof JSON.parse>;

/** Changes the body of each success of these endpoints, by default of all. */
function rewrite(change: (body: Json) => unknown, ...on: readonly Endpoint[]): Manner {
  return {
    handler: () => async (request, respond) => {
      const response = await respond();
      const isMeant = request.server === 'service' && (on.length === 0 || on.some((each) => each === request.endpoint));
      if (!isMeant || response.status >= 300) return response;
      return json(response.status, change(JSON.parse(response.body)), response.headers);
    },
  };
}

/** Changes each value of a field, at any depth, in the successes of these endpoints. */
export function rewriteField(name: string, change: (value: Json) => unknown, ...on: readonly Endpoint[]): Manner {
  return rewrite(
    (body) => JSON.parse(JSON.stringify(body), (key, value) => (key === name ? change(value) : value)),
    ...on,
  );
}

/** All of these manners in one. */
export function together(...manners: readonly Manner[]): Manner {
  const scenarios = manners.map(({ scenario = {} }) => scenario);
  return {
    scenario: { ...Object.assign({}, ...scenarios), faults: scenarios.flatMap(({ faults = [] }) => faults) },
    handler: (service) => {
      const handlers = manners.flatMap(({ handler }) => handler?.(service) ?? []);
      return async (request, respond) =>
        await handlers.reduce<typeof respond>((next, handler) => async () => await handler(request, next), respond)();
    },
  };
}

/** Calls the function after each accepted creation or retry with the asset, or the assets, that the response names. */
function after(endpoint: 'submissions/create' | 'assets/retry', act: (service: Workspace, body: Json) => void): Manner {
  return {
    handler: (service) => async (request, respond) => {
      const response = await respond();
      if (request.endpoint !== endpoint || response.status >= 300) return response;
      const body: Json = JSON.parse(response.body);
      act(service, body);
      return json(response.status, body);
    },
  };
}

function submissionOf(service: Workspace, { submissionId }: Json) {
  return service.existingSubmission(submissionId);
}

/** Lists one more asset, such as a poster frame of the first file. `*` is the first name without its extension. */
function strayAsset(name: string): Manner {
  return after('submissions/create', (service, body) => {
    const submission = submissionOf(service, body);
    const [asset] = submission.assets;
    if (!asset) return;
    const first = structuredClone(asset);
    const filename = name.replace('*', first.filename.replace(/\.[^.]*$/, ''));
    const ids = { assetId: randomUUID(), versionGroupId: randomUUID() };
    const found = first.status === 'complete' ? { issues: [], issueCount: 0 } : {};
    submission.assets = [...submission.assets, { ...first, ...ids, ...found, filename }];
  });
}

/** The retried asset, and the submission that has it. */
function retried(service: Workspace, { submissionId, assets }: Json) {
  return service.existingAsset([submissionId, assets[0].assetId]);
}

/** A retry gives the asset a new id. */
export const retryAsNewAsset = after('assets/retry', (service, body) => {
  const assetId = randomUUID();
  Object.assign(retried(service, body).asset, { assetId });
  body.assets[0].assetId = assetId;
});

/** A retry goes on in a new submission, and the asset of the old one stays failed. */
export const retryInNewSubmission = after('assets/retry', (service, body) => {
  const { submission, asset } = retried(service, body);
  const next = { ...asset, assetId: randomUUID() };
  const failure = { errorType: 'ANALYSIS_ERROR', errorMessage: 'It goes on elsewhere.', isRetryable: false };
  Object.assign(asset, { status: 'failed', pending: undefined, issues: [], issueCount: null, failure });
  body.submissionId = randomUUID();
  body.assets[0].assetId = next.assetId;
  service.add({ ...submission, submissionId: body.submissionId, assets: [next], creditsSpent: 0, reads: 0 });
});

/** A retry appends the next version. The failed one stays in the list, and does not make the submission fail. */
const retryAsNextVersion: Manner = {
  handler: (service) => {
    const failed: { readonly listed: Json; readonly next: Asset }[] = [];
    const append = after('assets/retry', (_, body) => {
      const { asset } = retried(service, body);
      const { assetId, versionGroupId, versionNumber, retryCount } = asset;
      const error = { errorType: 'ANALYSIS_ERROR', errorMessage: 'It failed.', isRetryable: false };
      const listed = { assetId, versionGroupId, versionNumber, retryCount, issueCount: null, ...error };
      failed.push({ listed, next: asset });
      Object.assign(asset, { assetId: randomUUID(), versionNumber: versionNumber + 1 });
      Object.assign(body.assets[0], { assetId: asset.assetId, versionNumber: asset.versionNumber });
    });
    const list = rewriteField(
      'assets',
      (assets: Json[]) => [
        ...failed
          .filter(({ next }) => assets.some(({ assetId }) => assetId === next.assetId))
          .map(({ listed }) => listed),
        ...assets,
      ],
      'submissions/read',
    );
    return together(append, list).handler?.(service) ?? ((_, respond) => respond());
  },
};

const oneRetryAtATime: Manner = {
  handler: (service) => async (request, respond) => {
    const [submissionId = ''] = /[0-9a-f-]{36}/i.exec(request.path) ?? [];
    const { assets = [] } = service.submission(submissionId) ?? {};
    const isBusy = assets.some(({ pending, retryCount }) => pending !== undefined && retryCount > 0);
    if (request.endpoint !== 'assets/retry' || !isBusy) return await respond();
    return json(409, { detail: 'A retry of another asset is in flight.' });
  },
};

/** So many reads after an accepted retry still see the submission as it was. */
function showRetryLate(reads: number): Manner {
  return {
    handler: () => {
      const seen = new Map<string, Awaited<ReturnType<Parameters<Handler>[1]>>>();
      const late = new Map<string, number>();
      return async (request, respond) => {
        const [id = ''] = /(?<=\/submissions\/)[^/]+/.exec(request.path) ?? [];
        const left = late.get(id) ?? 0;
        const stale = seen.get(id);
        if (request.endpoint === 'submissions/read' && left > 0 && stale) {
          late.set(id, left - 1);
          return stale;
        }
        const response = await respond();
        if (request.endpoint === 'submissions/read') seen.set(id, response);
        if (request.endpoint === 'assets/retry' && response.status === 202) late.set(id, reads);
        return response;
      };
    },
  };
}

/** Refuses creations with links to earlier versions. */
function refuseLinks(status: 404 | 422): Manner {
  return {
    handler: () => async (request, respond) => {
      const isLinked = JSON.stringify(request.json ?? '').includes('previousSubmissionId');
      if (request.endpoint !== 'submissions/create' || !isLinked) return await respond();
      return json(status, { detail: 'Assets cannot be linked to this submission.' });
    },
  };
}

/** Accepts links to earlier versions, and makes every asset a first version. */
export const noLinks = rewriteField('versionNumber', () => 1);

/** The first response about each asset differs. */
function once(change: (asset: Json) => object): (asset: Json) => Json {
  const seen = new Set<string>();
  return (asset) => {
    const isFirst = asset.issueCount !== null && !seen.has(asset.assetId);
    if (isFirst) seen.add(asset.assetId);
    return isFirst ? { ...asset, ...change(asset) } : asset;
  };
}

/** Made anew for each service, because it remembers. */
function remembering(make: () => Manner): Manner {
  return { handler: (service) => make().handler?.(service) ?? ((_, respond) => respond()) };
}

const countLate = remembering(() => {
  const withoutCount = once(() => ({ issueCount: null }));
  return rewriteField('assets', (assets: Json[] | null) => assets?.map(withoutCount) ?? null, 'submissions/read');
});
const resultLate = remembering(() =>
  rewrite(
    once(() => ({ status: 'processing', issues: [], issueCount: null })),
    'assets/read',
  ),
);

const hideUnfinished = rewrite(
  (body) => (body.status === 'complete' || body.status === 'failed' ? body : { ...body, assets: null }),
  'submissions/read',
  'submissions/create',
);
/** Storage does not overwrite. The response to the first PUT is lost, so it is repeated. */
function keepBlobs(status: 409 | 412, code: string): Manner {
  return {
    scenario: { directCap: 0, faults: [{ on: 'storage/put', reset: true, when: 'after-work', times: 1 }] },
    handler: () => {
      const stored = new Set<string>();
      return async (request, respond) => {
        if (request.endpoint !== 'storage/put') return await respond();
        const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`;
        if (stored.has(request.path)) return { status, headers: { 'content-type': 'application/xml' }, body };
        stored.add(request.path);
        return await respond();
      };
    },
  };
}

export function slowly(endpoint: Endpoint, ms: number): Manner {
  return {
    handler: () => async (request, respond) => {
      const response = await respond();
      if (request.endpoint === endpoint) await sleep(ms);
      return response;
    },
  };
}

function name(change: (text: string) => string): Manner {
  return rewriteField('filename', change);
}

/** Lists whose form the interface does not show. */
function list(form: (items: readonly Json[], key: string) => unknown): Manner {
  return rewrite(
    (body) => {
      const [[key, items] = ['', []]] = Object.entries<Json>(body);
      return form(items, key);
    },
    'assets/issues',
    'submissions/versions',
  );
}

type Entries = readonly (readonly [string, Json])[];

/** Changes every object in every response. */
function objects(change: (entries: Entries) => Entries): Manner {
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inside);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(change(Object.entries(value)).map(([key, each]) => [key, inside(each)]));
  };
  return rewrite(inside);
}

const CONFLICT = '<?xml version="1.0"?><Error><Code>ConditionalRequestConflict</Code></Error>';
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idsInCapitals = rewrite((body) => {
  const text = JSON.stringify(body).replaceAll(new RegExp(`"${UUID.source}"`, 'g'), (id) => id.toUpperCase());
  return JSON.parse(text);
});
const atSubmission = ['submissions/read'] as const;
const atAsset = ['assets/read'] as const;

/**
 * What the interface leaves open. None of it changes a verdict or a bill.
 *
 * @param clockFactor how many times faster the clock of the action is
 */
export function mannersAt(clockFactor: number): Readonly<Record<string, readonly Manner[]>> {
  return {
    // With changed names, the gate could not tell a derived asset from the file itself.
    'names assets in its own way': [
      name((text) => text.replaceAll('-', '_')),
      name((text) => text.toUpperCase()),
      name((text) => `uploads/${text}`),
      name((text) => text.replace(/\.[^.]*$/, '')),
      name((text) => text.replaceAll(/[^\p{L}\p{N}.]/gu, '')),
      name((text) => text.slice(0, 64)),
      strayAsset('*_poster.jpg'),
    ],
    'shuffles assets': [rewriteField('assets', (assets: Json[] | null) => assets?.toReversed() ?? null)],
    'shuffles issues': [rewriteField('issues', (issues: Json[]) => issues.toReversed())],
    'repeats issues': [2, 3].map((times) =>
      together(
        rewriteField('issues', (issues: Json[]) => issues.flatMap((issue) => Array(times).fill(issue))),
        rewriteField('issueCount', (count: number | null) => count && count * times),
      ),
    ),
    'counts in one place only': [
      rewriteField('issueCount', () => null, ...atSubmission),
      rewriteField('issueCount', () => null, ...atAsset),
      rewrite(
        ({ assetId, submissionId, filename, status, issues }) => ({ assetId, submissionId, filename, status, issues }),
        ...atAsset,
      ),
    ],
    'counts late': [countLate],
    'has results late': [resultLate],
    'hides unfinished assets': [hideUnfinished],
    'lists an asset of its own': [strayAsset('poster.jpg')],
    'wraps lists': [
      list((items) => items),
      list((items) => ({ data: items })),
      list((items, key) => ({ data: { [key]: items }, links: [{ rel: 'self', href: '/' }] })),
    ],
    'has its own words for what is unfinished': [
      rewriteField('status', (status: string) => (/^(submitted|processing)$/.test(status) ? 'queued' : status)),
      rewriteField('status', (status: string) => (status === 'processing' ? 'uploading' : status)),
    ],
    'links versions in its own way': [
      noLinks,
      refuseLinks(422),
      refuseLinks(404),
      rewriteField('versionNumber', (version: number) => version + 6),
    ],
    'retries under a new id': [retryAsNextVersion, retryAsNewAsset],
    'retries one asset at a time': [oneRetryAtATime],
    'shows a retry late': [showRetryLate(1), showRetryLate(2)],
    'explains a failure at the submission': [
      rewrite(
        (body) => ({ ...body, errorMessage: body.errorMessage && 'The decoder ran out of memory.' }),
        ...atSubmission,
      ),
    ],
    'keeps the blobs that it has': [
      keepBlobs(409, 'BlobAlreadyExists'),
      keepBlobs(412, 'ConditionNotMet'),
      keepBlobs(412, 'PreconditionFailed'),
    ],
    'creates slowly': [slowly('submissions/create', 210_000 / clockFactor)],
    'is busy at first': [
      { scenario: { faults: [{ on: 'uploads/direct', status: 429, times: 3 }] } },
      { scenario: { faults: [{ on: 'submissions/create', status: 429, times: 3 }] } },
      { scenario: { faults: [{ on: 'submissions/read', status: 404, times: 2 }] } },
      { scenario: { directCap: 0, faults: [{ on: 'storage/put', status: 409, body: CONFLICT, times: 1 }] } },
    ],
    'adds fields': [objects((entries) => [...entries, ['addedLater', { since: 'a later release' }]])],
    'leaves nulls out': [objects((entries) => entries.filter(([, value]) => value !== null))],
    'writes identifiers in capitals': [idsInCapitals],
  };
}

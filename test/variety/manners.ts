import * as fc from 'fast-check';
import type { Scenario } from '../../emulator/emulator.ts';
import { ITEM_FORMS } from '../../emulator/scenario.ts';

const { VARIETY_SEED: given = '1' } = process.env;
/** Plays the same lives and combinations again. */
export const VARIETY_SEED = Number(given);

/** The action's clock is this many times faster than the service's. */
export const CLOCK_FACTOR = 60;

/** The upload is repeated, and finds its own blob. */
const LOST_RESPONSE = { on: 'storage/put', reset: true, when: 'after-work', times: 1 } as const;
const CONFLICT = '<?xml version="1.0"?><Error><Code>ConditionalRequestConflict</Code></Error>';

/**
 * How a service that keeps to the interface may differ from the plain one, without a change of any verdict or bill. A
 * failing case is reduced to the first choice of each.
 */
const MANNERS: Readonly<Record<string, readonly Scenario[]>> = {
  // With changed names, the gate could not tell a derived asset from the file itself.
  'names assets in its own way': [
    { filenames: 'underscores' },
    { filenames: 'upper-case' },
    { filenames: 'in-folder' },
    { filenames: 'without-extension' },
    { filenames: 'letters-and-digits' },
    { filenames: 'cut-to-64' },
    { strayAsset: '*_poster.jpg' },
  ],
  'shuffles assets': [{ shuffleAssets: true }],
  'shuffles issues': [{ shuffleIssues: true }],
  'repeats issues': [{ repeatIssues: 2 }, { repeatIssues: 3 }],
  'counts in one place only': [
    { issueCounts: 'asset' },
    { issueCounts: 'submission' },
    { issueCounts: 'submission', optionalFields: 'null' },
    { optionalFields: 'left-out' },
  ],
  'counts late': [{ default: { nullIssueCountReads: 1 } }],
  'has results late': [{ default: { lateResultReads: 1 } }],
  'hides unfinished assets': [{ assetsNullUntilEnd: true }, { assetOnlyWhenComplete: true }],
  'lists an asset of its own': [{ strayAsset: 'poster.jpg' }],
  'wraps lists': [
    { default: { issuesList: { as: 'array' } }, versionsList: { as: 'array' } },
    { default: { issuesList: { as: 'data' } }, versionsList: { as: 'data' } },
    ...ITEM_FORMS.map((form) => ({ default: { issuesList: { form } }, versionsList: { form } })),
  ],
  'has its own words for what is unfinished': [
    { statuses: ['queued', 'archived'] },
    { statusWhileUnfinished: 'uploading', assetStatusWhileUnfinished: 'submitted' },
  ],
  'links versions in its own way': [
    { linkVersions: 'never' },
    { linkVersions: 'refused' },
    { linkVersions: 'not-found' },
    { linkVersions: 'exact-filename', versionsBefore: 6 },
    { listEarlierVersions: true },
  ],
  'retries under a new id': [{ retryCreates: 'version' }, { retryCreates: 'asset' }],
  'retries one asset at a time': [{ oneRetryAtATime: true }],
  'shows a retry late': [{ retryLagReads: 1 }, { retryLagReads: 2 }],
  'explains a failure at the submission': [{ submissionError: 'The decoder ran out of memory.' }],
  'keeps the blobs that it has': [
    { directCap: 0, existingBlobs: 'BlobAlreadyExists', faults: [LOST_RESPONSE] },
    { directCap: 0, existingBlobs: 'ConditionNotMet', faults: [LOST_RESPONSE] },
    { directCap: 0, existingBlobs: 'PreconditionFailed', faults: [LOST_RESPONSE] },
  ],
  'creates slowly': [{ creationMs: 210_000 / CLOCK_FACTOR }],
  'is busy at first': [
    { faults: [{ on: 'uploads/direct', status: 429, times: 3 }] },
    { faults: [{ on: 'submissions/create', status: 429, times: 3 }] },
    { faults: [{ on: 'submissions/read', status: 404, times: 2 }] },
    { directCap: 0, faults: [{ on: 'storage/put', status: 409, body: CONFLICT, times: 1 }] },
  ],
  'adds fields': [{ extraFields: true }],
  'leaves nulls out': [{ omitNulls: true }],
  'writes identifiers in another case': [{ idCase: 'upper' }, { idCase: 'mixed' }],
  'succeeds with another status': [{ successStatus: 200 }, { successStatus: 202 }, { successStatus: 203 }],
  'writes headers in capitals': [{ headerCase: 'upper' }],
  compresses: [{ gzip: true }],
  'redirects to a slash': [{ redirectToSlash: 307 }, { redirectToSlash: 308 }],
};

export const MANNER_NAMES = Object.keys(MANNERS);

/** Some manners of a service, each with its choice. */
export type Variety = Readonly<Record<string, Scenario>>;

/** Any combination of manners that has these, each with any choice. */
export function varietyWith(names: readonly string[]): fc.Arbitrary<Variety> {
  const all = fc.record(
    Object.fromEntries(MANNER_NAMES.map((name) => [name, fc.constantFrom(...(MANNERS[name] ?? []))])),
  );
  return fc.tuple(fc.subarray(MANNER_NAMES), all).map(([others, choices]) => {
    const isIn = (name: string): boolean => names.includes(name) || others.includes(name);
    return Object.fromEntries(Object.entries(choices).filter(([name]) => isIn(name)));
  });
}

/** One scenario of all these. */
export function scenarioOf(variety: Variety): Scenario {
  const parts = Object.values(variety);
  return {
    ...Object.assign({}, ...parts),
    default: Object.assign({}, ...parts.map((part) => part.default)),
    faults: parts.flatMap((part) => part.faults ?? []),
  };
}

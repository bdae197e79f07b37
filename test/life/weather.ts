import type { Course } from './asset.ts';
import { now } from './clock.ts';
import type { Random } from './random.ts';
import type { RunOptions } from './run.ts';
import type { Fault, Manners } from './service.ts';

/** What may go wrong around a run, by chance. */

/** The course of one analysis. The same bytes may have another one each time that they are sent. */
export function courseOf({ chance, pick, upTo }: Random): Course {
  const finds = chance(0.35) ? ['CRITICAL'] : chance(0.2) ? ['MINOR', 'MAJOR'] : [];
  const usual = { takes: pick([0, 5, 20, 100, 200]), finds };
  if (chance(0.65)) return usual;
  const retry = {
    shows: pick([0, 1, 10, 140, 300]),
    takes: pick([0, 20, 100]),
    ends: pick(['complete', 'complete', 'failed'] as const),
    isRefused: chance(0.1),
    isElsewhere: chance(0.15),
  };
  return pick<Course>([
    { ...usual, takes: 1e9 },
    { ...usual, takes: 1e9 },
    { ...usual, ends: 'failed' },
    { ...usual, ends: 'failed' },
    { ...usual, ends: 'failed', retry },
    { ...usual, ends: 'failed', retry },
    { ...usual, ends: pick(['queued', 'archived']) },
    { ...usual, miscounts: upTo(2) },
    { ...usual, miscounts: null },
    { ...usual, hasTwin: true },
    { ...usual, strayFinds: pick([[], ['CRITICAL']]) },
  ]);
}

/** One or two ways in which this service differs from the plainest one. */
export function mannersOf({ chance, pick }: Random): Manners {
  const one = (): Manners =>
    pick<Manners>([
      { filename: (name) => `folder/${name.toUpperCase()}` },
      { counts: 'list' },
      { counts: 'asset' },
      { hasUpperCaseIds: true },
      { lag: 5 },
      { creationTakes: 200 },
    ]);
  return { ...one(), ...(chance(0.5) && one()) };
}

/** Everything, all reads, reads of submissions, assets or issues, uploads, creations, retries. */
const ENDPOINTS = [
  /./,
  /^GET/,
  /^GET \/submissions\/[^/]+$/,
  /^GET .*\/assets\/[^/]+$/,
  /\/issues$/,
  /uploads/,
  /^POST \/submissions$/,
  /\/retry$/,
];

/** One or two faults of the service, for some seconds, for some requests, or as long as the run lasts. */
export function faultsOf({ chance, pick, upTo }: Random): Fault[] {
  const one = (): Fault => {
    const on = pick(ENDPOINTS);
    const how = pick([503, 503, 500, 502, 429, 404, 'page', 'refused', 'reset', 'reset', 'silence'] as const);
    const limit = pick(['none', 'seconds', 'times'] as const);
    return {
      on,
      how,
      ...(limit === 'seconds' && { until: now() + (how === 404 ? 15 : upTo(200)) }),
      ...(limit === 'times' && { times: upTo(3) }),
      ...(how === 429 && { retryAfter: upTo(90) }),
      isAfterwards: how !== 429 && how !== 'refused' && chance(0.3),
    };
  };
  return chance(0.5) ? [one()] : [one(), one()];
}

/** GitHub does not give what runs have saved. */
export function faultsOfGitHub({ chance, upTo }: Random): Fault[] {
  return chance(0.05) ? [{ on: /artifacts|storage/, how: 503, ...(chance(0.5) && { times: upTo(3) }) }] : [];
}

/** What happens to the machine of a run. */
export function accidentOf({ chance, pick, upTo }: Random): Pick<RunOptions, 'stop' | 'hasBlockedUploads'> {
  const how = pick(['cancelled', 'killed', 'lost'] as const);
  return { stop: chance(0.12) ? { how, after: upTo(12) } : undefined, hasBlockedUploads: chance(0.03) };
}

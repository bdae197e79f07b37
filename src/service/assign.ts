import type { Cause } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import type { ContentResult } from './content-result.ts';
import type { Issue, Topic } from './issue.ts';
import { joinById } from './issue-list.ts';
import type { OpenSubmission } from './submit.ts';
import type { WaitedAsset } from './wait.ts';

/** What could be read of one asset. */
export interface Reading {
  readonly asset: WaitedAsset;
  /** The proof of which file it is; undefined where it could not be read, and then the asset is not judged. */
  readonly filename: string | undefined;
  readonly outcome: ContentResult['outcome'];
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly versionNumber: number | undefined;
  readonly versionGroupId: string | undefined;
  readonly versionCount: number | undefined;
  readonly cause: Cause | undefined;
}

/**
 * Gives each content its asset. The file name that the service gives is the only proof; whatever else the submission
 * holds, or lacks, makes its files unjudged.
 *
 * @param isCutShort the wait ended early, and that one cause says for every file why it has no result; what befell single
 *   assets is told besides
 */
export function assign(
  submission: OpenSubmission,
  readings: readonly Reading[],
  isCutShort: boolean,
): readonly ContentResult[] {
  const { contents } = submission;
  const byName = Map.groupBy(readings, ({ filename }) => filename);
  const nameless = byName.get(undefined) ?? [];
  const unclaimed = contents.filter(({ name }) => !byName.has(name));
  const known = new Set(contents.map(({ name }) => name));
  const foreign = readings.filter(({ filename }) => filename !== undefined && !known.has(filename));

  const fate = nameless.length >= unclaimed.length ? sharedFate(nameless) : undefined;

  const results = contents.map((content): ContentResult => {
    const [first, ...others] = byName.get(content.name) ?? [];
    if (first && others.length > 0) return ambiguous(content, [first, ...others], submission);
    if (first) return result(content, first);
    // Nothing that could not be read is ever judged, so a guess by elimination can only help to tell which file failed.
    const [leftOver] = nameless;
    if (leftOver && nameless.length === 1 && unclaimed.length === 1) return result(content, leftOver);
    if (fate) return { ...unread(content, submission), outcome: fate.outcome, causes: [about(content, fate.cause)] };
    if (isCutShort) return { ...unread(content, submission), causes: content === unclaimed[0] ? unproven() : [] };
    return { ...unread(content, submission), causes: [missing(content, submission, nameless, foreign)] };
  });
  if (submission.waitsSince === undefined || unclaimed.length > 0 || isCutShort) return results;
  const surplus = [...foreign, ...nameless];
  return surplus.length > 0 ? withSurplus(results, submission, surplus) : results;

  /** What befell assets without a name, once for all the files that they may be. */
  function unproven(): readonly Cause[] {
    const causes = nameless.map(({ cause }) => cause).filter((cause) => cause !== undefined);
    const which = `The service does not say which file that is: one of ${pathsOf(unclaimed)}.`;
    return [...new Map(causes.map((cause) => [cause.message, cause])).values()].map((cause) => ({
      ...cause,
      message: `${cause.message} ${which}`,
    }));
  }
}

function result(content: Content, { asset, cause, filename: _proof, ...rest }: Reading): ContentResult {
  return {
    content,
    ...rest,
    submissionId: asset.submissionId,
    assetId: asset.assetId,
    retries: asset.retries,
    causes: cause ? [about(content, cause)] : [],
  };
}

/** What all of them found counts, but which of them is the file nobody can say. */
function ambiguous(
  content: Content,
  readings: readonly [Reading, ...Reading[]],
  { submissionId }: OpenSubmission,
): ContentResult {
  const issues = readings.map((reading) => reading.issues).reduce(joinById);
  const ids = readings.map(({ asset }) => asset.assetId).join(', ');
  const cause: Cause = {
    reason: 'results',
    message: `Submission ${submissionId} has ${readings.length} assets with the name of this file (${ids}), so nobody can say which of them it is.`,
    fix: NOT_PROVEN,
  };
  return { ...result(content, readings[0]), outcome: 'unjudged', issues, causes: [about(content, cause)] };
}

/** Where the same befell all assets without a name, it befell each file that is left over. */
function sharedFate(nameless: readonly Reading[]): (Pick<Reading, 'outcome'> & { readonly cause: Cause }) | undefined {
  const causes = nameless.map(({ cause }) => cause);
  const [first, ...others] = causes;
  if (!first || others.some((cause) => cause?.reason !== first.reason)) return undefined;
  return {
    outcome: nameless.every(({ outcome }) => outcome === 'failed') ? 'failed' : 'unjudged',
    cause: { ...first, message: [...new Set(causes.map((cause) => cause?.message))].join(' ') },
  };
}

const NOT_PROVEN =
  'The file was sent, but nothing proves what was found in it, so it does not pass. Re-run the job; if it stays, tell the service.';

function missing(
  content: Content,
  { submissionId }: OpenSubmission,
  nameless: readonly Reading[],
  foreign: readonly Reading[],
): Cause {
  const details = [
    `Submission ${submissionId} has no asset that the service names as this file (${content.name}).`,
    ...(foreign.length > 0 ? [`It has others that were never sent: ${namesOf(foreign)}.`] : []),
    ...new Set(nameless.flatMap(({ cause }) => (cause ? [`An asset without a name: ${cause.message}`] : []))),
  ];
  return about(content, { reason: 'results', message: details.join(' '), fix: NOT_PROVEN });
}

/** More assets than were sent: as long as nobody knows what they are, none of the submission's results is trusted. */
function withSurplus(
  results: readonly ContentResult[],
  { submissionId }: OpenSubmission,
  surplus: readonly Reading[],
): readonly ContentResult[] {
  const cause: Cause = {
    reason: 'results',
    message: `Submission ${submissionId} has assets that were never sent: ${namesOf(surplus)}. It may not be this run's submission.`,
    fix: 'What was found in these files cannot be trusted, so they do not pass. Re-run the job; if it stays, tell the service.',
  };
  return results.map((result, index) => ({
    ...result,
    outcome: result.outcome === 'judged' ? 'unjudged' : result.outcome,
    causes: index === 0 ? [cause, ...result.causes] : result.causes,
  }));
}

const MAX_NAMES = 5;

function namesOf(readings: readonly Reading[]): string {
  return someOf(readings.map(({ filename, asset }) => filename ?? `asset ${asset.assetId}`));
}

function pathsOf(contents: readonly Content[]): string {
  return someOf(contents.map(({ name, paths }) => paths[0] ?? name));
}

function someOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function about(content: Content, cause: Cause): Cause {
  const path = content.paths[0];
  return path === undefined ? cause : { ...cause, path };
}

/** A content of which nothing is known, and the reason is told elsewhere. */
function unread(content: Content, { submissionId }: OpenSubmission): ContentResult {
  return {
    content,
    outcome: 'unjudged',
    issues: [],
    topics: [],
    submissionId,
    assetId: undefined,
    versionNumber: undefined,
    versionGroupId: undefined,
    versionCount: undefined,
    retries: 0,
    causes: [],
  };
}

import { type Cause, workflowOwner } from '../lib/cause.ts';
import { formatBytes, formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import { DIRECT_UPLOAD_CAP } from '../service/upload.ts';
import { isAllReused, isLoss, type Plan, type PlannedContent, withSource } from './plan.ts';

/**
 * The lines that a dry run prints: what would be sent, to where and why, and what would be reused or awaited. The
 * numbers in the last line add up to the number of matched files.
 */
export function describePlan(plan: Plan, filesMatched: number): readonly string[] {
  const sent = withSource(plan, 'submit');
  const total = sent.reduce((sum, { content }) => sum + content.size, 0);
  const [reused, awaited, failed] = (['analysed', 'open', 'failed'] as const).map(
    (kind) => withSource(plan, kind).length,
  );
  const paths = plan.contents.flatMap(({ content }) => content.paths).length;
  const duplicates = paths - plan.contents.length;
  const numbers = [
    `${sent.length} to send (${formatBytes(total)})`,
    `${reused} to reuse`,
    `${awaited} to wait for`,
    ...(failed ? [`${failed} failed before`] : []),
    ...(duplicates > 0 ? [plural(duplicates, 'duplicate')] : []),
    ...(filesMatched > paths ? [`${filesMatched - paths} with a problem`] : []),
  ];
  return [...plan.contents.map(describeContent), numbers.join(', ')];
}

function describeContent({ content, source }: PlannedContent): string {
  switch (source.kind) {
    case 'submit': {
      const what = content.size <= DIRECT_UPLOAD_CAP ? 'send to service' : 'send to storage';
      return line(what, content, `${content.file?.type.mime}; ${source.why}`);
    }
    case 'open':
      return line('wait', content, `in submission ${source.submissionId}`);
    case 'analysed':
      return line('reuse', content, `analysed ${source.at.slice(0, 10)}`);
    case 'failed':
      return line('do not send', content, `failed ${source.at.slice(0, 10)}`);
  }
}

function line(what: string, { size, paths }: Content, why: string): string {
  return `${what.padEnd(16)} ${formatBytes(size).padStart(9)}  ${paths.join(', ')} (${why})`;
}

export const DRY_RUN: Cause = {
  reason: 'dry-run',
  message: 'This was a dry run: nothing was sent or judged.',
  steps: [workflowOwner('Remove `dry-run: true` to send the files and judge the issues.')],
};

function firstPaths(entries: readonly (PlannedContent | Analysis)[]): string {
  return formatList(entries.map(({ content: { paths, name } }) => paths[0] ?? name));
}

/** The warning about files that are billed again because their analysis is lost. Undefined if no analysis is lost. */
export function describeLosses(plan: Plan): string | undefined {
  const lost = withSource(plan, 'submit').filter(({ source }) => isLoss(source.why));
  if (lost.length === 0) return undefined;
  const reasons = [...Map.groupBy(lost, ({ source }) => source.why)].map(
    ([why, group]) => `${why}: ${firstPaths(group)}`,
  );
  return `${plural(lost.length, 'file')} will be analysed and billed again (${reasons.join('; ')}).`;
}

/** The notice about results that were not read in this run. Undefined if all results were read. */
export function describeLastKnown(analyses: readonly Analysis[]): string | undefined {
  const unread = analyses.filter(({ lastKnownAt }) => lastKnownAt !== undefined);
  const [oldest] = unread.map(({ lastKnownAt = '' }) => lastKnownAt).toSorted();
  if (oldest === undefined) return undefined;
  return `The results of ${plural(unread.length, 'file')} were not read again, because the service's rate limit or the time limit of this run was reached. They are shown as last known, the oldest from ${oldest.slice(0, 10)}: ${firstPaths(unread)}. Files with issues that can change the verdict were read first.`;
}

/**
 * The notice about files that this run did not judge, and whose known issues count. Undefined if there are none.
 *
 * @param unjudged the files that were not judged, with their earlier analyses
 */
export function describeKept(unjudged: readonly PlannedContent[]): string | undefined {
  const kept = unjudged.filter(({ known }) => known && known.issues.length > 0);
  const [oldest] = kept.flatMap(({ known }) => known?.at ?? []).toSorted();
  if (oldest === undefined) return undefined;
  return `This run did not judge ${plural(kept.length, 'file')} that an earlier run analysed, so the issues of that analysis count as last known, the oldest from ${oldest.slice(0, 10)}: ${firstPaths(kept)}.`;
}

/** The notice about files that the service did not link to their earlier version. Undefined if all were linked. */
export function describeUnlinkedVersions(
  plan: Plan,
  analyses: readonly Analysis[],
  linked: ReadonlyMap<string, string>,
): string | undefined {
  const bySha = new Map(analyses.map((analysis) => [analysis.content.sha256, analysis]));
  const unlinked = withSource(plan, 'submit').filter(({ content, source: { previous } }) => {
    const analysis = bySha.get(content.sha256);
    if (!analysis || !linked.has(content.sha256) || analysis.versionNumber === undefined) return false;
    const group = previous?.versionGroupId;
    const isOtherGroup = group !== undefined && analysis.versionGroupId !== group;
    return analysis.versionNumber === 1 || isOtherGroup;
  });
  if (unlinked.length === 0) return undefined;
  return `The service did not link ${plural(unlinked.length, 'file')} to the earlier version: ${firstPaths(unlinked)}. The analysis is not affected, only the version history at the service.`;
}

/** Says that the report shows earlier results, and since when. Undefined if the plan reuses no earlier analysis. */
export function lastKnownOf(cause: Cause, plan: Plan): string | undefined {
  const [since] = withSource(plan, 'analysed')
    .map(({ source }) => source.at)
    .toSorted();
  if (since === undefined) return undefined;
  const stands = isAllReused(plan)
    ? 'No file has changed, so the last known verdict stands'
    : 'Earlier analyses are shown as last known';
  return `${cause.message} ${stands}; the oldest analysis is from ${since.slice(0, 10)}. Issues that were dismissed or re-opened after the last run that could read them are not taken into account.`;
}

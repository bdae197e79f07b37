import { forOwner } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Analysis } from '../service/analysis.ts';
import { isLoss, type Plan, type PlannedContent, withSource } from './plan.ts';

export const DRY_RUN = forOwner(
  'dry-run',
  'This was a dry run: nothing was sent or judged.',
  'Remove `dry-run: true` to send the files and judge the issues.',
);

function firstPaths(entries: readonly Pick<PlannedContent, 'content'>[]): string {
  return formatList(entries.map(({ content: { paths, name } }) => paths[0] ?? name));
}

/** The warning about files that are billed again because of a `Loss`. Undefined if there are none. */
export function describeLosses(plan: Plan): string | undefined {
  const lost = withSource(plan, 'sent').filter(({ source }) => isLoss(source.why));
  if (lost.length === 0) return undefined;
  const reasons = [...Map.groupBy(lost, ({ source }) => source.why)].map(
    ([why, group]) => `${why}: ${firstPaths(group)}`,
  );
  return `${plural(lost.length, 'file')} will be analysed and billed again (${reasons.join('; ')}).`;
}

/** The notice about files that the service did not link to their earlier version. Undefined if there are none. */
export function describeUnlinkedVersions(
  plan: Plan,
  analyses: readonly Analysis[],
  linked: ReadonlyMap<string, string>,
): string | undefined {
  const sources = new Map(withSource(plan, 'sent').map(({ content, source }) => [content.sha256, source]));
  const unlinked = analyses.filter(({ content: { sha256 }, versionNumber, versionGroupId }) => {
    if (!linked.has(sha256) || versionNumber === undefined) return false;
    const group = sources.get(sha256)?.previous?.versionGroupId;
    return versionNumber === 1 || (group !== undefined && versionGroupId !== group);
  });
  if (unlinked.length === 0) return undefined;
  return `The service did not link ${plural(unlinked.length, 'file')} to the earlier version: ${firstPaths(unlinked)}. The analysis is not affected, only the version history at the service.`;
}

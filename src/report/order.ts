import { SEVERITIES, severityRank } from '../service/issue.ts';
import type { Standing } from '../verdict/judge-issues.ts';
import type { Report, ReportedAsset, ReportedIssue } from './report.ts';

/** An issue with the content it was found in. */
export interface ListedIssue {
  readonly asset: ReportedAsset;
  readonly issue: ReportedIssue;
  /** Titles of the topics that it belongs to. */
  readonly topics: readonly string[];
}

const STANDINGS: readonly Standing[] = ['active', 'known', 'waived', 'ignored'];
const RANKS = 2 * STANDINGS.length * SEVERITIES.length;

function rank(issue: ReportedIssue): number {
  const place = STANDINGS.indexOf(issue.standing) * SEVERITIES.length + severityRank(issue.severity);
  return issue.failsGate ? place : place + RANKS / 2;
}

/**
 * All issues of all assets in the order in which a reader needs them: what fails the gate, then what counts, then what
 * does not; worst first in each. Buckets instead of a sort, since there may be very many.
 */
export function worstFirst(report: Report): readonly ListedIssue[] {
  const buckets: ListedIssue[][] = Array.from({ length: RANKS }, () => []);
  for (const asset of report.assets) {
    const topics = topicsByIssue(asset);
    for (const issue of asset.issues) {
      buckets[rank(issue)]?.push({ asset, issue, topics: topics.get(issue.id) ?? [] });
    }
  }
  return buckets.flat();
}

function topicsByIssue(asset: ReportedAsset): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const { title, issueIds } of asset.topics) {
    for (const id of issueIds) {
      const known = titles.get(id);
      if (known) known.push(title);
      else titles.set(id, [title]);
    }
  }
  return titles;
}

/** Nothing in it needs a reader's attention. */
export function isClean(asset: ReportedAsset): boolean {
  return asset.outcome === 'judged' && asset.issues.length === 0 && (asset.fixed ?? []).length === 0;
}

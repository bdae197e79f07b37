import type { Content, SendableContent } from '../../src/media/content.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import { type Issue, parseIssues } from '../../src/service/issue.ts';
import { type ListedAsset, type Status, statusOf, unlistedAsset } from '../../src/service/responses.ts';
import type { Waiver } from '../../src/waivers/waivers-file.ts';

/** Builders of what the service says (issues, assets, analyses), and of waivers for its issues. */

export function issue(changes: Partial<Issue> = {}): Issue {
  const { severity = 'CRITICAL' } = changes;
  return {
    id: `${severity} 1`,
    summary: 'Claims a cure',
    severity,
    reportedSeverity: severity,
    status: 'OPEN',
    ruleCode: 'AD-17',
    precedents: [],
    ...changes,
  };
}

/** CRITICAL issues as they are read from a response that gives only their ids. */
export function issues(...ids: readonly string[]): readonly Issue[] {
  return parseIssues(ids.map((id) => ({ id, severity: 'CRITICAL', status: 'OPEN' }))).items;
}

export function listedAsset(assetId: string, facts: Partial<ListedAsset> = {}): ListedAsset {
  return { ...unlistedAsset(assetId), versionNumber: 1, ...facts };
}

/** Statuses that the contract does not have, but may have one day: a row of `PHASES` would be all that they need. */
const ONE_DAY = [
  { words: ['cancelled'], ended: 'without results', objection: 'which means that somebody stopped the analysis' },
  { words: ['revoked'], ended: 'with results', objection: 'which means that the results do not count' },
] as const;

export function possibleStatus(word: string): Status {
  const status = statusOf(word);
  return status.isDocumented ? status : statusOf(word, ONE_DAY);
}

export type Result<T extends Content = SendableContent> = Analysis & { readonly content: T };

/** The analysis of a file that was judged. */
export function result<T extends Content>(content: T, changes: Partial<Omit<Analysis, 'content'>> = {}): Result<T> {
  const ids = { submissionId: 's1', assetId: `asset-${content.sha256}`, versionNumber: 1 };
  const nothing = { prospect: 'result', issues: [], topics: [], causes: [] } as const;
  return { ...nothing, ...ids, outcome: 'judged', ...changes, content };
}

/** A waiver that accepts `issue()` at this path. */
export function waiver(path: string, changes: Partial<Waiver> = {}): Waiver {
  const pattern = parsePattern(path, { windows: false });
  return { rule: 'AD-17', path: pattern, owner: 'legal', reason: 'agreed', expires: '2999-01-01', line: 1, ...changes };
}

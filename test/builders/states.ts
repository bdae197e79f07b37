import type { Artifact } from '../../src/github/api-schemas.ts';
import type { PlanRules } from '../../src/plan/candidates.ts';
import type { AnalysedRecord, FailedRecord, OpenRecord, PathRecord, StateDocument } from '../../src/state/document.ts';
import type { Binding } from '../../src/state/seal.ts';
import { sha } from './media.ts';

/** Builders of states and of what a plan is made from. */

export const NOW = new Date('2026-11-15T12:00:00.000Z');

export function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * 86_400_000).toISOString();
}

function sent(seed: string) {
  const common = { category: 'image', submissionId: 'submission-1', sidekicks: '' } as const;
  return { sha256: sha(seed), name: `${seed}.png`, ...common };
}

export function analysed(seed: string, changes: Partial<AnalysedRecord> = {}): AnalysedRecord {
  const result = { at: daysAgo(1), assetId: `asset-${seed}`, issues: [] };
  return { kind: 'analysed', ...sent(seed), ...result, ...changes };
}

export function pathRecord(path: string, seed: string, changes: Partial<PathRecord> = {}): PathRecord {
  return { path, sha256: sha(seed), submissionId: 'submission-1', seenAt: daysAgo(1), isPresent: true, ...changes };
}

/** Contents of a submission that is not finished. */
export function open(submissionId: string, seeds: readonly string[], changes: Partial<OpenRecord> = {}): OpenRecord[] {
  return seeds.map((seed) => ({ kind: 'open', ...sent(seed), submissionId, at: daysAgo(1), ...changes }));
}

export function failed(seed: string, changes: Partial<FailedRecord> = {}): FailedRecord {
  return { kind: 'failed', ...sent(seed), at: daysAgo(1), message: 'It broke.', ...changes };
}

export function document(changes: Partial<StateDocument> = {}): StateDocument {
  return { contents: [], paths: [], ...changes };
}

export function binding(changes: Partial<Binding> = {}): Binding {
  return {
    repositoryId: '4711',
    gate: 'f00d',
    mode: 'live',
    runId: '42',
    runAttempt: 1,
    event: 'push',
    branch: 'main',
    commit: 'c'.repeat(40),
    kind: 'state',
    savedAt: daysAgo(1),
    ...changes,
  };
}

/** An artifact in GitHub's list, by its run. */
export function listed(runId: number, changes: Partial<Artifact> = {}): Artifact {
  const common = { id: runId, name: 'x', size: 1, isExpired: false, isOwn: true, headRepositoryId: 4711 };
  return { ...common, runId: String(runId), branch: undefined, commit: undefined, ...changes };
}

export function rules(changes: Partial<PlanRules> = {}): PlanRules {
  return { repositoryId: '4711', reuseDays: 90, sidekicks: '', isRerun: false, now: NOW, ...changes };
}

import type { MediaFile } from '../../src/media/file.ts';
import type { Asked, PlanBasis } from '../../src/plan/plan.ts';
import type { Outcome } from '../../src/service/analysis.ts';
import {
  type AnalysedRecord,
  analysisId,
  type OpenRecord,
  type PathRecord,
  type StateDocument,
} from '../../src/state/document.ts';
import { joinStates } from '../../src/state/merge.ts';
import type { Binding } from '../../src/state/seal.ts';
import { sentName, sha } from './media.ts';

/** Builders of states and of what a plan is made from. */

export const NOW = new Date('2026-11-15T12:00:00.000Z');

export function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * 86_400_000).toISOString();
}

function sent(seed: string) {
  const common = { category: 'image', submissionId: 'submission-1', sidekicks: '' } as const;
  return { sha256: sha(seed), name: sentName(seed), ...common };
}

export function analysed(seed: string, changes: Partial<AnalysedRecord> = {}): AnalysedRecord {
  const result = { at: daysAgo(1), assetId: `asset-${seed}`, issues: [] };
  return { kind: 'analysed', ...sent(seed), ...result, ...changes };
}

export function pathRecord(path: string, seed: string, changes: Partial<PathRecord> = {}): PathRecord {
  return { path, sha256: sha(seed), submissionId: 'submission-1', isPresent: true, ...changes };
}

/** Contents of a submission that is not finished. */
export function open(submissionId: string, seeds: readonly string[], changes: Partial<OpenRecord> = {}): OpenRecord[] {
  return seeds.map((seed) => ({ kind: 'open', ...sent(seed), submissionId, at: daysAgo(1), ...changes }));
}

export function document(changes: Partial<StateDocument> = {}): StateDocument {
  return { contents: [], paths: [], ...changes };
}

export function binding(changes: Partial<Binding> = {}): Binding {
  return {
    repositoryId: '4711',
    gate: 'f00d',
    mode: 'live',
    apiKeyId: 'the API key',
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

/** What a plan is made from: files of this run, and the state that earlier runs left. */
export function basis(
  files: readonly MediaFile[],
  state: Partial<StateDocument> = {},
  changes: Partial<PlanBasis> = {},
): PlanBasis {
  const rules = { repositoryId: '4711', runId: '42', reuseDays: 90, sidekicks: '', isRerun: false, now: NOW };
  return { files, pointers: [], earlierState: joinStates([document(state)]), ...rules, ...changes };
}

/** What the service says about contents: for each submission id, the outcome of each content, by seed. */
export function asked(found: Readonly<Record<string, Readonly<Record<string, Outcome>>>>): Asked {
  const outcomes = Object.entries(found).flatMap(([submissionId, given]) =>
    Object.entries(given).map(
      ([seed, outcome]) => [analysisId({ sha256: sha(seed), submissionId }), { outcome }] as const,
    ),
  );
  return new Map(outcomes);
}

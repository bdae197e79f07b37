import * as v from 'valibot';
import type { MediaFile } from '../../src/media/file.ts';
import type { EarlierResponses, PlanBasis } from '../../src/plan/candidates.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import { ENDPOINTS } from '../../src/service/endpoints.ts';
import { unreadAsset } from '../../src/service/read-asset.ts';
import { SubmissionResponse } from '../../src/service/responses.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import type { SubmissionReading } from '../../src/service/submission-reading.ts';
import {
  type AnalysedRecord,
  analysisId,
  type FailedRecord,
  type OpenRecord,
  type PathRecord,
  type StateDocument,
} from '../../src/state/document.ts';
import { joinStates } from '../../src/state/merge.ts';
import type { Binding } from '../../src/state/seal.ts';
import { listedAsset, result } from './analyses.ts';
import { content, sha } from './media.ts';
import { refusal } from './service.ts';

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

/** What a plan is made from: files of this run, and the state that earlier runs left. */
export function basis(
  files: readonly MediaFile[],
  state: Partial<StateDocument> = {},
  changes: Partial<PlanBasis> = {},
): PlanBasis {
  const rules = { repositoryId: '4711', reuseDays: 90, sidekicks: '', isRerun: false, now: NOW };
  return { files, pointers: [], earlierState: joinStates([document(state)]), ...rules, ...changes };
}

/** What is read about a file. With `reused`, only its asset is listed. */
const READ = {
  reused: { prospect: 'no result' },
  finished: { outcome: 'judged' },
  awaited: { outcome: 'failed', prospect: 'at work' },
  failed: { outcome: 'failed', prospect: 'failed for good' },
  'given up': { prospect: 'no result' },
  missing: { prospect: 'no result' },
} as const satisfies Readonly<Record<string, Partial<Analysis>>>;

/** For each submission id: `missing`, or what is read about each of its contents, by seed. */
export type Found = Readonly<Record<string, 'missing' | Readonly<Record<string, keyof typeof READ>>>>;

/** What the service says about submissions. */
export function responses(found: Found): EarlierResponses {
  const submissions = new Map<string, SubmissionReading>();
  const files = new Map<string, Analysis>();
  for (const [submissionId, given] of Object.entries(found)) {
    if (given === 'missing') {
      const error = new ServiceError(ENDPOINTS.readSubmission, refusal(404));
      submissions.set(submissionId, { submissionId, contents: [], error, assets: new Map() });
      continue;
    }
    const seeds = Object.keys(given).filter((seed) => given[seed] !== 'missing');
    const listed = seeds.map((seed) => listedAsset(`asset-${seed}`));
    const status = Object.values(given).includes('given up') ? 'processing' : 'complete';
    const response = v.parse(SubmissionResponse, { submissionId, status, assets: listed });
    const assets = new Map(listed.map((asset) => [asset.assetId, unreadAsset(submissionId, asset)]));
    submissions.set(submissionId, { submissionId, contents: [], response, assets });
    for (const [seed, use] of Object.entries(given)) {
      const analysis = result(content(seed), { outcome: 'unjudged', submissionId, ...READ[use] });
      files.set(analysisId({ sha256: sha(seed), submissionId }), analysis);
    }
  }
  return { submissions, files };
}

import { author, type Cause, FILE, rerun, type Step, SUPPORT } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import { isFinal } from './asset-retries.ts';
import {
  CONCLUSIONS,
  type Evidence,
  evidenceOf,
  type FileFacts,
  hasFailed,
  isSuspicious,
  movedTo,
  type SubmissionFacts,
} from './conclusion.ts';
import { assetsOfFiles, type FileAssets } from './file-assets.ts';
import { type Issue, joinById, type Topic } from './issue.ts';
import { type AssetReading, missingFact } from './read-asset.ts';
import { failureText } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** What this run has read about one content at the service. What earlier runs know is added by `judge`. */
export interface Analysis {
  readonly content: Content;
  /**
   * `judged`: all issues were read. `failed`: the service could not analyse it. `unjudged`: a fact is missing. `unread`:
   * an outage, a rate limit or the time limit prevented the read of a reused analysis, and nothing contradicts it.
   */
  readonly outcome: 'judged' | 'failed' | 'unjudged' | 'unread';
  /** Set if the analysis failed. True if another retry in the same submission would not help. */
  readonly isFailedForGood?: boolean;
  /** The issues that could be read. The list is complete only if the content is judged. */
  readonly issues: readonly Issue[];
  readonly topics: readonly Topic[];
  readonly submissionId: string;
  readonly assetId?: string | undefined;
  readonly versionNumber?: number | undefined;
  readonly versionGroupId?: string | undefined;
  readonly versionCount?: number | undefined;
  /** Why the content is not judged. */
  readonly causes: readonly Cause[];
}

/** The analysis of a content about which no response could be read. */
export function unjudged(content: Content, submissionId: string, causes: readonly Cause[]): Analysis {
  return { content, outcome: 'unjudged', issues: [], topics: [], submissionId, causes };
}

export function analysesOf(
  submission: Pick<OpenSubmission, 'submissionId' | 'contents' | 'otherFiles'>,
  facts: SubmissionFacts,
): readonly Analysis[] {
  const { submissionId, contents } = submission;
  const fileAssets = assetsOfFiles(facts.readings, submission);
  const { of, unnamed } = fileAssets;
  const doubt = describeDoubtful(fileAssets, contents, facts);
  return contents.map((content) =>
    analysisOf({ ...facts, submissionId, content, assets: of(content), unnamed, doubt }),
  );
}

/** The analysis of a file whose asset an earlier run has read. */
export function reusedAnalysis(content: Content, asset: AssetReading, preventedBy?: ServiceError): Analysis {
  const { submissionId } = asset;
  const readings = { readings: [asset], assets: [asset], unnamed: [] };
  return analysisOf({ content, submissionId, submissionPhase: 'reused', preventedBy, ...readings });
}

function analysisOf(facts: FileFacts): Analysis {
  const { content, submissionId, submissionPhase, assets } = facts;
  const [asset] = assets;
  const evidence = evidenceOf(facts);
  const analysis: Analysis = {
    ...unjudged(content, submissionId, []),
    issues: assets.map(({ issues }) => issues).reduce(joinById, []),
    assetId: asset?.listed.assetId,
    versionNumber: asset?.listed.versionNumber ?? asset?.own?.versionNumber ?? asset?.earlier?.versionNumber,
    versionGroupId: asset?.listed.versionGroupId ?? asset?.own?.versionGroupId ?? asset?.earlier?.versionGroupId,
  };
  switch (CONCLUSIONS[submissionPhase][evidence]) {
    case 'judged':
      return { ...analysis, outcome: 'judged' };
    case 'unread':
      return { ...analysis, outcome: 'unread', causes: [explainUnread(facts)] };
    case 'failed':
      return { ...analysis, ...explainFailure(facts) };
    case 'ended':
      return { ...analysis, causes: [explainEnd(evidence, facts) ?? explainUnproven(evidence, facts)] };
    case 'unproven':
      return { ...analysis, causes: [explainUnproven(evidence, facts)] };
  }
}

/** Why the read of a reused analysis was prevented. */
function explainUnread({ assets: [asset], preventedBy }: FileFacts): Cause {
  const error = asset?.error ?? preventedBy;
  return error
    ? explain(error)
    : { reason: 'timeout', message: 'There was no time left to read earlier results again.', steps: [] };
}

/** Why the wait ended early or, if it did not, which error may have kept the asset of this file from being read. */
function explainEnd(evidence: Evidence, { content, earlyEnd, unnamed }: FileFacts): Cause | undefined {
  const stopped = evidence === 'none' ? unnamed.find(({ error }) => error?.stopsReading)?.error : undefined;
  return earlyEnd ?? (stopped && about(content, { ...explain(stopped), submission: 'open' }));
}

function explainUnproven(evidence: Evidence, facts: FileFacts): Cause {
  const { content, submissionId } = facts;
  const cause = { reason: 'results', message: MISSING_FACTS[evidence](facts), submissionId } as const;
  // With `submission: 'open'`, reports add to this step that a re-run bills nothing again.
  if (evidence === 'open')
    return about(content, { ...cause, steps: [rerun('Re-run this job later.')], submission: 'open' });
  return about(content, { ...cause, steps: [rerun(), SUPPORT] });
}

/** For each `Evidence`, a sentence about the fact that is missing. */
const MISSING_FACTS: Readonly<Record<Evidence, (facts: FileFacts) => string>> = {
  complete: describeNoAsset,
  unread: describeNoAsset,
  none: describeNoAsset,
  incomplete: ({ assets: [asset] }) => {
    const fact = (asset && missingFact(asset)) ?? '';
    return asset?.error ? `${fact} ${asset.error.message}.` : fact;
  },
  open: ({ assets: [asset] }) => `The service is still analysing this file: ${reportedStatus(asset)}.`,
  unknown: ({ assets: [asset] }) => `The service has not said that this file is complete: ${reportedStatus(asset)}.`,
  failed: ({ assets }) =>
    `The service now says that it could not analyse the file (${reasonOf(assets) || 'without a reason'}), although an earlier run read its results.`,
  unclear: describeContradiction,
};

function reportedStatus(asset: AssetReading | undefined): string {
  return `it reports the status ${JSON.stringify(asset?.own?.status.word)}`;
}

function describeNoAsset({ submissionPhase, readings, assets: [asset] }: FileFacts): string {
  if (submissionPhase === 'unread') return "The submission's list of assets could not be read.";
  if (asset?.error) return `${asset.error.message}.`;
  const instead = readings.length === 0 ? 'It has no assets.' : `Its assets: ${formatList(readings.map(nameOf))}.`;
  return `The submission has no asset with the name of this file. ${instead}`;
}

function nameOf({ own, listed, error }: AssetReading): string {
  return own?.filename ?? `${listed.assetId} (${failureText(listed) || (error?.message ?? 'not read')})`;
}

function describeContradiction(facts: FileFacts): string {
  const { assets, doubt } = facts;
  const [asset] = assets;
  if (!asset) return describeNoAsset(facts);
  if (assets.length > 1) return `The submission has ${plural(assets.length, 'asset')} with the name of this file.`;
  const moved = movedTo(asset);
  if (moved !== undefined)
    return `The service goes on with the retry of this file in another submission (${moved}), which this run does not wait for.`;
  if (doubt !== undefined) return doubt;
  const known = reasonOf(assets) || `it counts ${plural(asset.issueCount ?? asset.issues.length, 'issue')}`;
  return `The service has not confirmed that this file is complete, but says about it: ${known}.`;
}

/**
 * Describes assets that may be any file, so that no file passes. These are assets whose name this gate did not send,
 * if they have an error or an issue, and assets without a name, if there are more of them than files without an asset.
 */
function describeDoubtful(
  { of, unnamed, strays }: FileAssets,
  contents: readonly Content[],
  { submissionPhase }: SubmissionFacts,
): string | undefined {
  const mayBeJudged = submissionPhase === 'failed' ? unnamed.filter((asset) => !hasFailed(asset)) : unnamed;
  const isSurplus = mayBeJudged.length > contents.filter((content) => of(content).length === 0).length;
  const doubtful = [...strays.filter(isSuspicious), ...(isSurplus ? mayBeJudged : [])];
  if (doubtful.length === 0) return undefined;
  return `The submission has ${plural(doubtful.length, 'asset')} that cannot be assigned to a file (${formatList(doubtful.map(nameOf))}), so none of its files passes.`;
}

/** If it is unknown which asset is the file, the errors of all assets without a name are reported. */
function explainFailure(facts: FileFacts): Pick<Analysis, 'outcome' | 'isFailedForGood' | 'causes'> {
  const { content, submissionId, readings, unnamed, earlyEnd, errorMessage } = facts;
  const assets = facts.assets.length > 0 ? facts.assets : unnamed;
  const isAnyAccepted = readings.some(({ retry }) => retry !== undefined && retry.count > 0);
  const isFailedForGood = earlyEnd === undefined && assets.every((asset) => isFinal(asset, isAnyAccepted));
  const retry = assets.find((asset) => asset.retry)?.retry;
  const times = retry?.count ?? 0;
  const after = times === 0 ? '' : ` after ${times} ${times === 1 ? 'retry' : 'retries'}`;
  const noMore = retry?.last instanceof ServiceError ? ` No other retry was possible: ${retry.last.message}.` : '';
  const ofFile = reasonOf(assets);
  const ofAll = errorMessage ? `it says about the whole submission: ${errorMessage.replace(/\.$/, '')}` : '';
  const message = `The service could not analyse the file${after}: ${ofFile || ofAll || 'it gave no reason'}.${noMore}`;
  const steps = stepsAfterFailure(isFailedForGood, ofFile === '' && ofAll !== '');
  return {
    outcome: 'failed',
    isFailedForGood,
    causes: [about(content, { reason: 'asset-failed', message, steps, submissionId })],
  };
}

function reasonOf(assets: readonly AssetReading[]): string {
  return [...new Set(assets.map(({ listed }) => failureText(listed)).filter(Boolean))].join('; ');
}

/** @param isOfAll whether the service gave a reason only for the whole submission: then no file is to blame */
export function stepsAfterFailure(isForGood: boolean, isOfAll = false): readonly Step[] {
  const note = isForGood ? 'It sends and bills the same bytes again.' : undefined;
  if (isOfAll) return [rerun(undefined, note), SUPPORT];
  return [
    author(`Check that ${FILE} opens. If it is damaged, replace it, commit and push.`),
    rerun(`If ${FILE} is intact, re-run this job.`, note),
  ];
}

export function about({ paths: [path] }: Content, cause: Cause): Cause {
  return path === undefined ? cause : { ...cause, path };
}

import { author, type Cause, FILE, rerun, type Step, SUPPORT } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { explain } from './advice.ts';
import { isFinal } from './asset-retries.ts';
import type { Mode } from './endpoints.ts';
import { assetsOfFiles, type FileAssets } from './file-assets.ts';
import { type Issue, joinById, type Topic, withLastKnown } from './issue.ts';
import {
  type FileFacts,
  isSuspicious,
  movedTo,
  OUTCOMES,
  type Shown,
  type SubmissionFacts,
  shownBy,
  shownByOneUnnamed,
} from './outcome.ts';
import { type AssetReading, missingFact } from './read-asset.ts';
import { failureText } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** The outcome of one content at the service. */
export interface Analysis {
  readonly content: Content;
  /** `judged`: all issues were read. `failed`: the service could not analyse it. `unjudged`: a fact is missing. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
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
  /** How many requests to analyse the file again the service accepted. */
  readonly retries: number;
  readonly causes: readonly Cause[];
  /** When an earlier run read this result, in ISO 8601. Set only if the file is judged and this run did not read it. */
  readonly lastKnownAt?: string;
}

/** The analysis of a content about which no response could be read. */
export function unjudged(content: Content, submissionId: string, causes: readonly Cause[]): Analysis {
  return { content, outcome: 'unjudged', issues: [], topics: [], submissionId, retries: 0, causes };
}

export function analysesOf(
  submission: Pick<OpenSubmission, 'submissionId' | 'contents' | 'otherFiles'>,
  facts: SubmissionFacts,
): readonly Analysis[] {
  const { submissionId, contents } = submission;
  const assets = assetsOfFiles(facts.readings, submission);
  const contradiction = describeStrays(assets) ?? describeSurplus(assets, contents, facts);
  const { unnamed } = assets;
  return contents.map((content) =>
    analysisOf({ ...facts, submissionId, content, own: assets.of(content), unnamed, contradiction }),
  );
}

/** The analysis of a file whose asset an earlier run has read. */
export function reusedAnalysis(content: Content, asset: AssetReading, mode: Mode): Analysis {
  const { submissionId } = asset;
  const assets = { readings: [asset], own: [asset], unnamed: [] };
  return analysisOf({ content, submissionId, mode, submission: 'reused', ...assets });
}

function analysisOf(facts: FileFacts): Analysis {
  const { content, submissionId, submission, own } = facts;
  const [asset] = own;
  const shown = shownBy(facts);
  const analysis: Analysis = {
    ...unjudged(content, submissionId, []),
    issues: own.map(({ issues }) => issues).reduce(joinById, []),
    assetId: asset?.listed.assetId,
    versionNumber: asset?.listed.versionNumber ?? asset?.own?.versionNumber ?? asset?.earlier?.versionNumber,
    versionGroupId: asset?.listed.versionGroupId ?? asset?.own?.versionGroupId ?? asset?.earlier?.versionGroupId,
    retries: asset?.retry?.count ?? 0,
  };
  switch (OUTCOMES[shown][submission]) {
    case 'judged': {
      const lastKnown = shown === 'last known' ? asset?.earlier : undefined;
      const issues = withLastKnown(analysis.issues, lastKnown?.issues ?? []);
      return { ...analysis, outcome: 'judged', issues, ...(lastKnown && { lastKnownAt: lastKnown.at }) };
    }
    case 'failed':
      return { ...analysis, ...failed(facts) };
    case 'ended':
      return { ...analysis, causes: [endOf(shown, facts) ?? missing(shown, facts)] };
    case 'missing':
      return { ...analysis, causes: [missing(shown, facts)] };
  }
}

/** Why the wait ended, if that explains why nothing is known about this file. */
function endOf(shown: Shown, { content, cause, unnamed }: FileFacts): Cause | undefined {
  const stopped = shown === 'hidden' ? unnamed.find(({ error }) => error?.stopsReading)?.error : undefined;
  return cause ?? (stopped && about(content, { ...explain(stopped), submission: 'open' }));
}

const READ_AGAIN: readonly Step[] = [rerun(), SUPPORT];
/** Reports add that nothing is billed again. */
const READ_LATER: readonly Step[] = [rerun('Re-run this job later.')];

function missing(shown: Shown, facts: FileFacts): Cause {
  const { content, submissionId } = facts;
  const isOpen = shown === 'open';
  const message = MISSING[shown](facts);
  const steps = isOpen ? READ_LATER : READ_AGAIN;
  return about(content, { reason: 'results', message, steps, submissionId, ...(isOpen && { submission: 'open' }) });
}

/** For each `Shown`, the fact that is missing. */
const MISSING: Readonly<Record<Shown, (facts: FileFacts) => string>> = {
  complete: describeMissingAsset,
  'last known': describeMissingAsset,
  none: describeMissingAsset,
  hidden: describeMissingAsset,
  suspect: describeMissingAsset,
  incomplete: ({ own: [asset], mode }) => {
    const fact = (asset && missingFact(asset, mode)) ?? '';
    return asset?.error ? `${fact} ${asset.error.message}.` : fact;
  },
  open: ({ own: [asset] }) =>
    `The service is still analysing this file: its status is ${JSON.stringify(asset?.own?.status.word)}.`,
  unknown: ({ own: [asset] }) =>
    `The service reports the status ${JSON.stringify(asset?.own?.status.word)} for this file, which the gate does not know.`,
  failed: ({ own }) =>
    `The service now says that it could not analyse the file (${reasonOf(own) || 'without a reason'}), although an earlier run read its results.`,
  unclear: describeContradiction,
};

function describeMissingAsset({ submission, readings, own: [asset] }: FileFacts): string {
  if (submission === 'unread') return "The submission's list of assets could not be read.";
  if (asset) return asset.error ? `${asset.error.message}.` : `The list says about this file: ${reasonOf([asset])}.`;
  const others = readings.map((reading) => reading.own?.filename ?? describeUnnamed(reading));
  const instead = others.length === 0 ? ' It has no assets.' : ` Its assets: ${formatList(others)}.`;
  return `The submission has no asset with the name of this file.${instead}`;
}

function describeUnnamed({ listed, error }: AssetReading): string {
  return `${listed.assetId} (${failureText(listed) || (error?.message ?? 'not read')})`;
}

function describeContradiction(facts: FileFacts): string {
  const { own, contradiction } = facts;
  const [asset] = own;
  if (!asset) return describeMissingAsset(facts);
  if (own.length > 1) return `The submission has ${plural(own.length, 'asset')} with the name of this file.`;
  const moved = movedTo(asset);
  if (moved !== undefined)
    return `The service goes on with the retry of this file in another submission (${moved}), which this run does not wait for.`;
  if (contradiction !== undefined) return contradiction;
  const known = reasonOf(own) || `it counts ${plural(asset.issueCount ?? asset.issues.length, 'issue')}`;
  return `The service has not finished this file (status ${JSON.stringify(asset.own?.status.word)}), but says about it: ${known}.`;
}

/** An asset that this gate did not send, and that has issues: nobody knows which file the issues are about. */
function describeStrays({ strays }: FileAssets): string | undefined {
  const names = strays.filter(isSuspicious).map(({ own }) => own?.filename ?? '');
  if (names.length === 0) return undefined;
  return `The submission has ${plural(names.length, 'asset')} with issues that this gate did not send (${formatList(names)}). The issues may be about any of the files, so none of them passes.`;
}

/** If there are more assets without a name than files without an asset, one may be a second asset of a file. */
function describeSurplus(
  { of, unnamed }: FileAssets,
  contents: readonly Content[],
  { submission }: SubmissionFacts,
): string | undefined {
  const mayBeJudged = unnamed.filter((asset) => OUTCOMES[shownByOneUnnamed(asset)][submission] !== 'failed');
  if (mayBeJudged.length <= contents.filter((content) => of(content).length === 0).length) return undefined;
  return 'The submission has an asset whose file name could not be read, and every file has an asset already. It may be a second asset of one of the files, so none of them passes.';
}

/** If the asset of the file is unknown, all assets without a name may be the file's. */
function failed(facts: FileFacts): Pick<Analysis, 'outcome' | 'isFailedForGood' | 'causes'> {
  const { content, submissionId, readings, own, unnamed, cause, errorMessage } = facts;
  const assets = own.length > 0 ? own : unnamed;
  const isAnyAccepted = readings.some(({ retry }) => retry !== undefined && retry.count > 0);
  const isFailedForGood = cause === undefined && assets.every((asset) => isFinal(asset, isAnyAccepted));
  const retry = assets.find((asset) => asset.retry)?.retry;
  const times = retry?.count ?? 0;
  const after = times === 0 ? '' : ` after ${times} ${times === 1 ? 'retry' : 'retries'}`;
  const problem = retry?.last instanceof ServiceError ? retry.last.message : retry?.last === 'accepted' && NO_EFFECT;
  const noMore = problem ? ` It was not retried${times > 0 ? ' again' : ''}: ${problem}.` : '';
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

const NO_EFFECT = 'the service accepted a retry that showed no effect';

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

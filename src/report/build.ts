import type { Findings } from '../findings.ts';
import { checkedCommit, folderIn, isScannedCommit } from '../github/checkout.ts';
import type { RunContext } from '../github/context.ts';
import type { IsChanged } from '../github/pull-request.ts';
import type { Inputs } from '../inputs/parse.ts';
import type { Content } from '../media/content.ts';
import { contentsToSend, type PlannedContent } from '../plan/plan.ts';
import { isJudged } from '../service/analysis.ts';
import type { Issue } from '../service/issue.ts';
import { isAnalysed } from '../state/document.ts';
import type { JudgedContent, Verdict } from '../verdict/judge.ts';
import type { JudgedIssue } from '../verdict/judge-issues.ts';
import { describeRun } from './headline.ts';
import { day } from './phrases.ts';
import {
  countBySeverity,
  countFiles,
  inReportOrder,
  type Report,
  type ReportedContent,
  type ReportFacts,
} from './report.ts';
import { completeSteps } from './steps.ts';

interface ReportSources {
  readonly found: Findings;
  readonly verdict: Verdict;
  readonly inputs: Pick<Inputs, 'name' | 'service' | 'policy' | 'issueUrl' | 'waiversFile' | 'contact'>;
  readonly context: RunContext;
  readonly isChanged: IsChanged;
  readonly now: Date;
}

/** Builds the object from which all report files, the comment, the annotations and the outputs are made. */
export function buildReport(sources: ReportSources): Report {
  const { found, verdict, inputs, context, now, isChanged } = sources;
  const { files, unchecked } = found.discovery;
  const contents = inReportOrder(
    verdict.contents.map((judged) => reportedContent(judged, sources)),
    (content) => placeOf(content, verdict.reason === 'dry-run'),
  );
  const hasBaseline = found.history.baseline !== undefined;
  const counts = countsOf(contents, files.length, hasBaseline);
  const facts: ReportFacts = {
    gate: inputs.name,
    judgedAt: now.toISOString(),
    verdict: verdict.name,
    reason: verdict.reason,
    isPassing: verdict.isPassing,
    mode: inputs.service?.mode ?? '',
    causes: reportedCauses(sources),
    counts,
    contents,
    notices: [
      ...found.notices,
      ...(found.waivers?.notices(found.pathsBeforeOnlyChanged) ?? []),
      ...(inputs.policy.failOnIssues === 'new' && !hasBaseline ? [explainUncompared(sources)] : []),
    ],
    unchecked: [
      ...(verdict.reason === 'no-key' ? files.map(({ path }) => path) : []),
      ...unchecked.filter((path) => isChanged(path) !== false),
    ],
    policy: inputs.policy,
    waiversFile: inputs.waiversFile,
    contact: inputs.contact,
    submission: submissionOf(found),
    fitsCodeScanning: fitsCodeScanning(sources, counts),
    run: runOf(context),
  };
  return { ...facts, ...describeRun(facts), ...completeSteps(facts, { ...found, service: inputs.service }) };
}

function runOf(context: RunContext): Report['run'] {
  const { repository, event, eventCommit, runUrl: url, serverUrl, branch, pullRequest: pull } = context;
  const isAboutPull = pull !== undefined || event.startsWith('pull_request');
  const subject = isAboutPull ? 'pull request' : event === 'merge_group' ? 'merge group' : 'branch';
  const pullRequest =
    pull?.number === undefined ? undefined : { number: pull.number, headCommit: eventCommit, url: pull.url };
  const { commit } = checkedCommit(context);
  return { repository, serverUrl, branch, commit, folder: folderIn(context), url, subject, pullRequest };
}

/** Why `fail-on-issues: new` had nothing to compare with, and from when on it will. */
function explainUncompared({ found, context }: ReportSources): string {
  const branch = `\`${context.baseBranch ?? context.branch}\``;
  const why = 'There was nothing to compare with, so every issue counts:';
  if (!found.history.isCompared)
    return `${why} a run by \`${context.event}\` is not compared, or another commit than its own is checked out. Runs on a branch (\`push\`, \`schedule\`, \`workflow_dispatch\`) are compared from the second commit on, pull requests with their base branch.`;
  if (context.baseBranch === undefined)
    return `${why} no run of an earlier commit of ${branch} was found. From the next commit on, the issues of this run are known and do not stop the check.`;
  return `${why} no analysis of ${branch}, the base branch, was found. Run this gate on \`push\` to ${branch} as well: once such a run has ended, pull requests are compared with it.`;
}

/** Whether a live run judged every file that `files` selects, at the commit that code scanning would show. */
function fitsCodeScanning({ found, verdict, inputs, context }: ReportSources, counts: Report['counts']): boolean {
  const isLive = inputs.service?.mode === 'live' && (verdict.name === 'pass' || verdict.name === 'fail');
  const isWhole = counts.filesUnjudged === 0 && counts.filesMatched === found.pathsBeforeOnlyChanged.length;
  return isLive && isWhole && isScannedCommit(context);
}

function submissionOf({ submissionIds, created, response, plan, skipped }: Findings): Report['submission'] {
  const [id = ''] = submissionIds;
  const isReused = plan.contents.length > 0 && id === '' && contentsToSend(plan).length === 0 && !skipped;
  // The status is an output, which a workflow may insert into a script, so another word than the contract's is left out.
  const { phase = 'unknown', word = '' } = response?.status ?? {};
  const known = phase === 'unknown' ? 'unknown' : word;
  return {
    id,
    status: isReused ? 'reused' : id === '' ? '' : known,
    mayExistTwice: created?.mayExistTwice ?? false,
  };
}

export function countsOf(
  contents: readonly ReportedContent[],
  filesMatched: number,
  hasBaseline: boolean,
): Report['counts'] {
  const active = contents.flatMap(({ issues }) => issues.filter(({ standing }) => standing === 'active'));
  const { sent = [], reused = [], awaited = [] } = Object.groupBy(contents, ({ source }) => source);
  return {
    issues: active.length,
    newIssues: hasBaseline ? active.filter(({ isNew }) => isNew).length : undefined,
    bySeverity: countBySeverity(active),
    filesMatched,
    filesUnjudged: filesMatched - countFiles(contents.filter(isJudged)),
    filesSubmitted: countFiles(sent),
    filesReused: countFiles([...reused, ...awaited].filter(isJudged)),
    assetsSubmitted: sent.length,
    assetsFailed: contents.filter(({ outcome }) => outcome === 'failed' || outcome === 'retryable').length,
  };
}

/** Causes of files that the pull request changes come first, then the path decides. */
function reportedCauses({ verdict, isChanged }: ReportSources): Report['causes'] {
  const causes = verdict.causes.map((cause) => {
    return { ...cause, isChanged: cause.path === undefined ? undefined : isChanged(cause.path) };
  });
  return inReportOrder(causes, (cause) => cause);
}

/** How the analysis was obtained or, if the run stopped early, how it would have been obtained. */
function originOf({ source }: PlannedContent, { created }: Findings): Pick<ReportedContent, 'source' | 'sourceReason'> {
  if (source.kind === 'sent') return { source: created ? 'sent' : 'not sent', sourceReason: source.why };
  const sourceReason = `${isAnalysed(source.record) ? 'unchanged since' : 'sent'} ${day(source.record.at)}`;
  return { source: source.kind, sourceReason };
}

function reportedContent(judged: JudgedContent, { found, inputs, isChanged, now }: ReportSources): ReportedContent {
  const { content, source, analysis, outcome, lastKnown, issues } = judged;
  const { paths, size, sha256, type } = content;
  const { submissionId, assetId, versionNumber, versionCount, topics = [] } = analysis ?? {};
  const atService = { submissionId, assetId, versionNumber, versionCount, outcome, topics };
  const earlier = lastKnown ?? (source.kind !== 'sent' && isAnalysed(source.record) ? source.record : undefined);
  return {
    paths,
    size,
    sha256,
    isChanged: isAnyChanged(content, isChanged),
    mime: type?.mime ?? 'application/octet-stream',
    category: type?.category,
    ...originOf(judged, found),
    analysedAt: earlier?.at ?? (isJudged(judged) ? now.toISOString() : undefined),
    isLastKnown: lastKnown !== undefined,
    ...atService,
    issues: issues.map(({ of, ...issue }) => ({
      ...issue,
      url: inputs.issueUrl && linkTo(issue, of, inputs.issueUrl),
    })),
  };
}

function isAnyChanged({ paths }: Content, isChanged: IsChanged): boolean | undefined {
  const each = paths.map(isChanged);
  return each.includes(true) || (each.includes(undefined) ? undefined : false);
}

/** Fills in the placeholders of the template. A value is encoded, so that it cannot change the rest of the address. */
function linkTo(
  { id, referenceNumber }: Pick<Issue, 'id' | 'referenceNumber'>,
  { submissionId, assetId }: JudgedIssue['of'],
  template: string,
): string {
  const values = { referenceNumber, issueId: id, assetId, submissionId };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) =>
    encodeURIComponent(String(values[name] ?? '').toWellFormed()),
  );
}

/** What stops the check comes first: with such an issue, or without a verdict. In a dry run, what a real run would send. */
function placeOf(content: ReportedContent, isDryRun: boolean) {
  const active = content.issues.filter(({ standing }) => standing === 'active');
  const stops = !isJudged(content) || active.some(({ failsGate }) => failsGate);
  const isFirst = isDryRun ? content.source === 'not sent' : stops;
  return { effectRank: isFirst ? 0 : 1, isChanged: content.isChanged, issue: active[0], path: content.paths[0] };
}

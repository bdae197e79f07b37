import type { Problem } from '../causes/cause.ts';
import type { Findings } from '../findings.ts';
import { checkedCommit, folderIn, isScannedCommit } from '../github/checkout.ts';
import type { RunContext } from '../github/context.ts';
import { type Inputs, ISSUE_URL_PLACEHOLDERS } from '../inputs/parse.ts';
import type { Content } from '../media/content.ts';
import { contentsToSend, isLoss, type PlannedContent } from '../plan/plan.ts';
import { isJudged } from '../service/analysis.ts';
import type { Issue } from '../service/issue.ts';
import { isAnalysed } from '../state/document.ts';
import type { JudgedContent, Verdict } from '../verdict/judge.ts';
import type { JudgedIssue } from '../verdict/judge-issues.ts';
import { countBySeverity, countFiles, sortBy, sortKey } from './facts.ts';
import { describeRun } from './headline.ts';
import type { Report, ReportedCause, ReportedContent, ReportFacts } from './report.ts';
import { completeSteps } from './steps.ts';

interface ReportSources {
  readonly found: Findings;
  readonly verdict: Verdict;
  readonly inputs: Pick<Inputs, 'name' | 'service' | 'policy' | 'issueUrl' | 'waiversFile' | 'contact'>;
  readonly context: RunContext;
  /** By path: whether the pull request changes the file. A path is left out if that is unknown. */
  readonly changed: ReadonlyMap<string, boolean>;
  readonly now: Date;
}

/** Builds the object from which all report files, the comment, the annotations and the outputs are made. */
export function buildReport(sources: ReportSources): Report {
  const { found, inputs } = sources;
  const facts = factsOf(sources);
  return {
    ...facts,
    ...describeRun(facts),
    ...completeSteps(facts, { ...found, service: inputs.service }),
  };
}

function factsOf(sources: ReportSources): ReportFacts {
  const { found, verdict, inputs, context, now, changed } = sources;
  const { files, unchecked, elsewhere } = found.discovery;
  const isDryRun = verdict.reason === 'dry-run';
  const contents = sortBy(
    verdict.contents.map((judged) => reportedContent(judged, sources)),
    (content) => contentKey(content, isDryRun),
  );
  const comparison = comparisonOf(sources);
  const counts = countsOf(contents, files.length, comparison !== undefined);
  return {
    gate: inputs.name,
    judgedAt: now.toISOString(),
    verdict: verdict.name,
    reason: verdict.reason,
    isPassing: verdict.isPassing,
    mode: inputs.service?.mode ?? '',
    causes: reportedCauses(sources),
    counts,
    contents,
    notices: [...found.notices, ...(found.waivers?.notices(found.matchedPaths) ?? []), ...explainLastKnown(sources)],
    unchecked: [
      ...(verdict.reason === 'no-key' ? files.map(({ path }) => path) : []),
      ...unchecked.map(({ path }) => path).filter((path) => changed.get(path) !== false),
    ],
    policy: inputs.policy,
    comparison,
    uncompared: comparison || inputs.policy.failOnIssues === 'all' ? undefined : explainUncompared(sources),
    waiversFile: inputs.waiversFile,
    contact: inputs.contact,
    submission: submissionOf(found),
    fitsCodeScanning: isScannedCommit(context) && files.length === found.matchedPaths.length,
    docs: context.docsUrl,
    run: runOf(context),
    mediaElsewhere: elsewhere,
    plannedAssets: isDryRun ? contents.filter(({ source }) => source === 'not-sent').length : undefined,
  };
}

/** Why results of earlier runs could not be read again. */
function explainLastKnown({ found, verdict }: ReportSources): readonly string[] {
  const unread = found.analyses.find(({ outcome }) => outcome === 'last-known');
  const isShown = verdict.contents.some(({ lastKnown }) => lastKnown !== undefined);
  const why = unread?.cause?.message ?? 'This run could not read every result.';
  return isShown ? [`${why} The last known issues count, as they were on the day shown.`] : [];
}

function runOf(context: RunContext): Report['run'] {
  const { repository, event, runUrl: url, serverUrl, branch, pullRequest: pull } = context;
  const isAboutPull = pull !== undefined || event.startsWith('pull_request');
  const subject = isAboutPull ? 'pull request' : event === 'merge_group' ? 'merge group' : 'branch';
  const pullRequest =
    pull?.number === undefined ? undefined : { number: pull.number, headCommit: pull.headSha, url: pull.url };
  const place = { repository, serverUrl, branch, folder: folderIn(context) };
  return { ...place, ...checkedCommit(context), event, url, subject, pullRequest };
}

function comparisonOf({ found, context }: ReportSources): Report['comparison'] {
  const { comparison } = found.history;
  if (!comparison?.baseline) return undefined;
  const branch = comparison.with === 'base branch' ? (context.baseBranch ?? '') : context.branch;
  return { with: comparison.with, branch, at: comparison.baseline.at };
}

/** Why the issues of this run were compared with nothing, and from when on issues will be. */
function explainUncompared({ found, context }: ReportSources): Problem {
  const { event, branch, baseBranch } = context;
  switch (found.history.comparison?.with) {
    case 'base branch':
      return {
        why: `no analysis of \`${baseBranch}\`, the base branch, was found`,
        fix: `Run this gate on \`push\` to \`${baseBranch}\` as well: once such a run has ended, pull requests are compared with it.`,
      };
    case 'own branch':
      return {
        why: `no run of an earlier commit of \`${branch}\` was found`,
        fix: 'From the next commit on, the issues of this run are known and do not stop the check.',
      };
    case undefined:
      return {
        why: `a run by \`${event}\` is not compared, or another commit than its own is checked out`,
        fix: 'Runs on a branch (`push`, `schedule`, `workflow_dispatch`) are compared from the second commit on, pull requests with their base branch.',
      };
  }
}

/** The submission that this run created, or else the first submission that it waits for. */
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
  isCompared: boolean,
): Report['counts'] {
  const issues = contents.flatMap((content) => content.issues);
  const { active = [], known = [], waived = [], ignored = [] } = Object.groupBy(issues, ({ standing }) => standing);
  const sent = contents.filter(({ source }) => source === 'sent');
  return {
    issues: active.length,
    newIssues: isCompared ? active.filter(({ isNew }) => isNew).length : undefined,
    known: known.length,
    waived: waived.length,
    ignored: ignored.length,
    failing: active.filter(({ failsGate }) => failsGate).length,
    bySeverity: countBySeverity(active),
    filesMatched,
    filesUnjudged: filesMatched - countFiles(contents.filter(isJudged)),
    filesSubmitted: countFiles(sent),
    filesReused: countFiles(contents.filter(isReused)),
    assetsSubmitted: sent.length,
    assetsFailed: contents.filter(({ outcome }) => outcome === 'failed' || outcome === 'retryable').length,
  };
}

/** Whether a content is judged by what an earlier run sent. */
function isReused(content: ReportedContent): boolean {
  return (content.source === 'reused' || content.source === 'awaited') && isJudged(content);
}

/** Merges equal causes. Causes of files that the pull request changes come first, then the path decides. */
function reportedCauses({ verdict, changed }: ReportSources): readonly ReportedCause[] {
  const groups = Map.groupBy(verdict.causes, ({ reason, message, detail, steps, path = '' }) =>
    JSON.stringify([reason, message, detail, steps, changed.get(path)]),
  );
  const causes = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => {
      const { path = '', submissionId: _, ...facts } = first;
      return {
        ...facts,
        paths: group.flatMap((each) => each.path ?? []).toSorted(),
        submissionIds: [...new Set(group.flatMap(({ submissionId }) => submissionId ?? []))],
        isChanged: changed.get(path),
      };
    }),
  );
  return sortBy(causes, (cause) => sortKey(0, cause));
}

/** How the analysis was obtained or, if the run stopped early, how it would have been obtained. */
function originOf(
  { source }: PlannedContent,
  { created }: Findings,
): Pick<ReportedContent, 'source' | 'sourceReason' | 'isPaidAgain'> {
  if (source.kind === 'sent') {
    const isSent = created !== undefined;
    const isPaid = isSent && isLoss(source.why);
    return { source: isSent ? 'sent' : 'not-sent', sourceReason: source.why, isPaidAgain: isPaid };
  }
  const day = source.record.at.slice(0, 10);
  const reason = isAnalysed(source.record) ? 'unchanged' : `sent ${day}`;
  return { source: source.kind, sourceReason: reason, isPaidAgain: false };
}

function reportedContent(judged: JudgedContent, { found, inputs, changed, now }: ReportSources): ReportedContent {
  const { content, source, analysis, outcome, lastKnown, issues } = judged;
  const { paths, size, sha256, type } = content;
  const { submissionId, assetId, versionNumber, versionCount, topics = [] } = analysis ?? {};
  const atService = { submissionId, assetId, versionNumber, versionCount, outcome, topics };
  const judgedAt = isJudged(judged) ? now.toISOString() : undefined;
  return {
    paths,
    size,
    sha256,
    isChanged: isChanged(content, changed),
    mime: type?.mime ?? 'application/octet-stream',
    category: type?.category,
    ...originOf(judged, found),
    analysedAt: source.kind !== 'sent' && isAnalysed(source.record) ? source.record.at : judgedAt,
    lastKnownAt: lastKnown?.at,
    ...atService,
    issues: issues.map(({ of, ...issue }) => ({
      ...issue,
      url: inputs.issueUrl && linkTo(issue, of, inputs.issueUrl),
    })),
  };
}

function isChanged({ paths }: Content, changed: ReadonlyMap<string, boolean>): boolean | undefined {
  const each = paths.map((path) => changed.get(path));
  return each.includes(true) || (each.includes(undefined) ? undefined : false);
}

/** Fills in the placeholders of the template. A value is encoded, so that it cannot change the rest of the address. */
function linkTo(
  { id, referenceNumber }: Pick<Issue, 'id' | 'referenceNumber'>,
  { submissionId, assetId }: JudgedIssue['of'],
  template: string,
): string {
  const values = { referenceNumber, issueId: id, assetId, submissionId };
  return ISSUE_URL_PLACEHOLDERS.reduce(
    (url, name) => url.replaceAll(`{${name}}`, () => encodeURIComponent(String(values[name] ?? '').toWellFormed())),
    template,
  );
}

/** In a dry run, contents that a real run would send come first. */
const DRY_RUN_ORDER: readonly ReportedContent['source'][] = ['not-sent', 'awaited', 'reused'];

/** Except in a dry run, contents that stop the check come first: with such an issue, or without a verdict. */
function contentKey(content: ReportedContent, isDryRun: boolean): string {
  const active = content.issues.filter(({ standing }) => standing === 'active');
  const effect = isJudged(content) && !active.some(({ failsGate }) => failsGate) ? 1 : 0;
  return sortKey(isDryRun ? DRY_RUN_ORDER.indexOf(content.source) : effect, content, active[0]);
}

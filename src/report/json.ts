import type { Cause } from '../lib/cause.ts';
import type { Issue } from '../service/issue.ts';
import type { Report, ReportedAsset, ReportedIssue } from './report.ts';

/** Raised when a field is removed or changes its meaning; fields may be added without. */
const JSON_VERSION = 1;

/** With five issues each, about a hundred kilobytes. */
const ASSETS_IN_A_PIECE = 20;

/**
 * report.json, for programs. In pieces, because it is the largest file by far: with 10,000 files it would take more memory
 * than all before it.
 */
export function* renderJson(report: Report): Generator<string> {
  // Ends in an empty list, into which the assets go, one on each line.
  yield JSON.stringify(reportDocument({ ...report, assets: [] })).slice(0, -2);
  for (let at = 0; at < report.assets.length; at += ASSETS_IN_A_PIECE) {
    const some = report.assets.slice(at, at + ASSETS_IN_A_PIECE).map((one) => JSON.stringify(asset(one)));
    yield `${at === 0 ? '' : ','}\n${some.join(',\n')}`;
  }
  yield ']}\n';
}

/**
 * The data of report.json and of report.html. Its shape is `report.schema.json` beside this file: every field is always
 * there, what is not known is null. It is written out by hand so that a change of our own types never changes it unseen.
 */
export function reportDocument(report: Report): object {
  return {
    schemaVersion: JSON_VERSION,
    gate: report.gate,
    judgedAt: report.judgedAt,
    verdict: report.verdict,
    reason: report.reason,
    isPassing: report.isPassing,
    mode: report.mode,
    lastKnown: report.lastKnown ?? null,
    headline: report.headline,
    nextSteps: report.nextSteps,
    causes: report.causes.map(cause),
    notices: report.notices,
    policy: report.policy,
    submission: submission(report),
    docs: report.docs ?? null,
    run: run(report),
    counts: report.counts,
    highestSeverity: report.highestSeverity,
    assets: report.assets.map(asset),
  };
}

function cause({ reason, message, fix, path, line, submission }: Cause): object {
  const mayBeBilled = submission === 'unconfirmed';
  return { reason, message, fix, path: path ?? null, line: line ?? null, mayBeBilled };
}

function submission({ submission: { id, status, workflowId } }: Report): object {
  return { id, status, workflowId: workflowId ?? null };
}

function run({ run: { repository, commit, ref, event, url, serverUrl, branch, pullRequest } }: Report): object {
  return {
    repository,
    commit,
    ref,
    event,
    url,
    serverUrl: serverUrl ?? null,
    branch: branch ?? null,
    pullRequest: pullRequest ? { number: pullRequest.number, headCommit: pullRequest.headCommit } : null,
  };
}

function asset(one: ReportedAsset): object {
  return {
    paths: one.paths,
    size: one.size,
    sha256: one.sha256,
    mime: one.mime,
    category: one.category ?? null,
    source: one.source,
    sourceReason: one.sourceReason,
    analysedAt: one.analysedAt ?? null,
    submissionId: one.submissionId ?? null,
    assetId: one.assetId ?? null,
    versionNumber: one.versionNumber ?? null,
    versionCount: one.versionCount ?? null,
    retries: one.retries,
    outcome: one.outcome,
    issues: one.issues.map(reportedIssue),
    fixed: one.fixed?.map(issue) ?? null,
    topics: one.topics.map(({ title, issueIds }) => ({ title, issueIds })),
  };
}

function reportedIssue(one: ReportedIssue): object {
  return {
    ...issue(one),
    standing: one.standing,
    isNew: one.isNew ?? null,
    isNewInVersion: one.isNewInVersion ?? null,
    failsGate: one.failsGate,
    url: one.url ?? null,
    waiver: one.waiver ?? null,
  };
}

function issue(one: Issue): object {
  return {
    id: one.id,
    referenceNumber: one.referenceNumber ?? null,
    ruleCode: one.ruleCode,
    severity: one.severity,
    reportedSeverity: one.reportedSeverity,
    status: one.status,
    summary: one.summary,
    headline: one.headline ?? null,
    reasoning: one.reasoning ?? null,
    precedents: one.precedents.map(({ url, title, decision, date }) => ({ url, title, decision, date })),
    sidekickId: one.sidekickId ?? null,
    createdAt: one.createdAt ?? null,
    updatedAt: one.updatedAt ?? null,
  };
}

import * as fc from 'fast-check';
import type { Cause } from '../../src/lib/cause.ts';
import type { Report, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import { type Issue, SEVERITIES } from '../../src/service/issue.ts';
import { anAsset, anIssue, aReport, HOSTILE_TEXTS } from './fixtures.ts';

/** Hostile texts. */
export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...Array.from('<>&"\'`*_[]()#!|~\\^$:/@-+=. \n1a')), maxLength: 30 }),
);

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const anyIssue: fc.Arbitrary<ReportedIssue> = fc
  .record({
    summary: anyText,
    severity: fc.constantFrom(...SEVERITIES),
    reportedSeverity: anyText,
    status: anyText,
    ruleCode: anyText,
    referenceNumber: optional(fc.nat()),
    sidekickId: optional(anyText),
    headline: optional(anyText),
    reasoning: optional(anyText),
    precedents: fc.array(fc.record({ url: anyText, title: anyText, decision: anyText, date: anyText }), {
      maxLength: 2,
    }),
    createdAt: optional(anyText),
    standing: fc.constantFrom('active', 'known', 'ignored', 'waived'),
    isNew: optional(fc.boolean()),
    url: optional(anyText),
    waiver: optional(fc.record({ owner: anyText, reason: anyText, expires: anyText })),
  })
  .map((over) => anIssue(over));

function beforeJudging(issue: ReportedIssue): Issue {
  const { standing: _, isNew: _isNew, failsGate: _fails, url: _url, waiver: _waiver, ...rest } = issue;
  return rest;
}

const anyAsset: fc.Arbitrary<ReportedContent> = fc
  .record({
    paths: fc.array(anyText, { minLength: 1, maxLength: 3 }),
    size: fc.nat(),
    mime: anyText,
    category: fc.constantFrom('video', 'audio', 'image', 'document', undefined),
    source: fc.constantFrom('sent', 'reused', 'awaited', 'not-sent'),
    sourceReason: anyText,
    analysedAt: optional(anyText),
    lastKnownAt: optional(anyText),
    assetId: optional(anyText),
    versionNumber: optional(fc.nat()),
    versionCount: optional(fc.nat()),
    retries: fc.nat(3),
    outcome: fc.constantFrom('judged', 'failed', 'unjudged'),
    issues: fc.array(anyIssue, { maxLength: 4 }),
    fixed: optional(fc.array(anyIssue.map(beforeJudging), { maxLength: 2 })),
  })
  .chain((over) =>
    fc
      .array(fc.record({ title: anyText, issueIds: fc.constant(over.issues.map((issue) => issue.id)) }), {
        maxLength: 2,
      })
      .map((topics) => anAsset({ ...over, topics })),
  );

const anyCause: fc.Arbitrary<Cause> = fc
  .record({ message: anyText, fix: anyText, path: optional(anyText) })
  .map(({ path, ...rest }) => ({ reason: 'service', ...rest, ...(path === undefined ? {} : { path }) }));

export const anyReport: fc.Arbitrary<Report> = fc
  .record({
    gate: anyText,
    verdict: fc.constantFrom('pass', 'fail', 'error', 'skipped'),
    isPassing: fc.boolean(),
    mode: fc.constantFrom('live', 'sandbox', ''),
    lastKnown: optional(fc.record({ since: anyText, message: anyText })),
    headline: anyText,
    fullReport: anyText,
    judgedAt: anyText,
    nextSteps: fc.array(anyText, { maxLength: 3 }),
    causes: fc.array(anyCause, { maxLength: 3 }),
    notices: fc.array(anyText, { maxLength: 3 }),
    submission: fc.record({ id: anyText, status: anyText, workflowId: optional(anyText) }),
    run: fc.record({
      repository: anyText,
      commit: anyText,
      ref: anyText,
      event: anyText,
      url: anyText,
      serverUrl: optional(anyText),
      branch: optional(anyText),
      pullRequest: optional(fc.record({ number: fc.nat(), headCommit: anyText })),
    }),
    assets: fc.array(anyAsset, { maxLength: 4 }),
  })
  .map((over) => aReport(over));

/** 8 files with 400 issues each, all texts hostile and long: over every limit of the platform. */
export function crowdedReport(): Report {
  const hostile = HOSTILE_TEXTS.join('\n');
  const assets = Array.from({ length: 8 }, (_, file) =>
    anAsset({
      paths: [`media/<b>|${file}|@octocat.mp4`],
      issues: SEVERITIES.flatMap((severity) =>
        Array.from({ length: 100 }, () =>
          anIssue({ severity, summary: hostile, headline: hostile, reasoning: hostile }),
        ),
      ),
    }),
  );
  return aReport({ assets, headline: `${hostile.slice(0, 200)} 800 issues reach CRITICAL`, nextSteps: [hostile] });
}

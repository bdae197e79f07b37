import type { Cause, Reason, Step } from '../causes/cause.ts';
import type { RunContext } from '../github/context.ts';
import type { Policy } from '../inputs/parse.ts';
import { count } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import type { Category } from '../media/media-types.ts';
import type { Analysis } from '../service/analysis.ts';
import { SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { JudgedContent, Verdict } from '../verdict/judge.ts';
import type { JudgedIssue } from '../verdict/judge-issues.ts';

export interface ReportedIssue extends Omit<JudgedIssue, 'of'> {
  /** The page of the issue at the service. */
  readonly url: string | undefined;
}

/** The bytes of one or more files. Files with the same bytes are one content, which is sent and billed as one asset. */
export interface ReportedContent
  extends Pick<Content, 'paths' | 'size' | 'sha256'>,
    Pick<Analysis, 'assetId' | 'versionNumber' | 'versionCount' | 'topics'>,
    Pick<JudgedContent, 'outcome'> {
  /** Whether the pull request changes one of the paths. Only a red check, or `only-changed`, asks. Else undefined. */
  readonly isChanged: boolean | undefined;
  readonly mime: string;
  readonly category: Category | undefined;
  readonly source: 'sent' | 'reused' | 'awaited' | 'not sent';
  /** Why the content has this source: "new", "unchanged since 2026-11-01". */
  readonly sourceReason: string;
  /** When this run read the result that is shown or, of an earlier result, when the file was sent. */
  readonly analysedAt: string | undefined;
  /** Whether the issues of an earlier result count, because this run has read no newer one. */
  readonly isLastKnown: boolean;
  readonly submissionId: string | undefined;
  readonly issues: readonly ReportedIssue[];
}

/** In a `Report`, the steps are complete: `steps.ts` adds what is missing. */
export interface ReportedCause extends Cause {
  /** Whether the pull request changes the file. Undefined if that is unknown or the cause is not about a file. */
  readonly isChanged: boolean | undefined;
}

/**
 * Everything that a reader may want to know about a run, in one object for every renderer. Sentences about the run are from
 * `headline.ts`, those about issues and files from `phrases.ts`. Causes and steps bring their texts from where they were
 * created; `steps.ts` completes the steps.
 */
export interface Report {
  readonly gate: string;
  /** When the verdict was reached, ISO 8601. */
  readonly judgedAt: string;
  readonly verdict: Verdict['name'];
  readonly reason: Reason | '';
  readonly isPassing: boolean;
  readonly mode: 'live' | 'sandbox' | '';
  /** The reason for the verdict in one sentence. Plain text, which may contain text from outside. */
  readonly headline: string;
  /** What the check does, and what the verdict means for the merge. Backticks mark names. */
  readonly consequence: string;
  readonly cost: string;
  /** Most useful first. */
  readonly nextSteps: readonly Step[];
  readonly causes: readonly ReportedCause[];
  /** Other facts that a reader should know, such as patterns that matched nothing or state that could not be read. */
  readonly notices: readonly string[];
  /**
   * Media that nobody checked: all that `files` selects if there was no API key, and media that it neither selects nor
   * excludes, unless the pull request is known not to change them.
   */
  readonly unchecked: readonly string[];
  readonly policy: Policy;
  readonly waiversFile: string | undefined;
  /** Whom to ask: a text from the workflow or an https address. */
  readonly contact: string | undefined;
  readonly submission: {
    readonly id: string;
    readonly status: string;
    /** Whether the service may have created, and billed, a second submission of the same files. */
    readonly mayExistTwice: boolean;
  };
  /** If not, code scanning would close the alerts of files that this run did not judge, or show them at another commit. */
  readonly fitsCodeScanning: boolean;
  readonly run: Pick<RunContext, 'repository' | 'serverUrl' | 'branch'> & {
    readonly url: string;
    /** What a red check stops. `branch` stands for a tag as well. */
    readonly subject: 'pull request' | 'merge group' | 'branch';
    /** The commit that was checked. */
    readonly commit: string;
    /** The folder of the repository to which paths are relative, with a slash at the end; empty for the top folder. */
    readonly folder: string;
    readonly pullRequest:
      | {
          readonly number: number;
          readonly headCommit: string;
          /** Undefined in a run that another workflow started. */
          readonly url: string | undefined;
        }
      | undefined;
  };
  readonly counts: {
    /** Active issues. An issue is counted once, even if its content has several paths. */
    readonly issues: number;
    readonly bySeverity: Readonly<Record<Severity, number>>;
    /** Active issues that the baseline does not have. Undefined if the run was compared with nothing. */
    readonly newIssues: number | undefined;
    /** Files are counted by path: the same bytes at two paths are two files. */
    readonly filesMatched: number;
    /** Matched files without a judged analysis, including unreadable files, which are in no content. */
    readonly filesUnjudged: number;
    readonly filesSubmitted: number;
    /** Judged by what an earlier run sent. */
    readonly filesReused: number;
    /** The assets in the submission that this run created. These are billed. */
    readonly assetsSubmitted: number;
    readonly assetsFailed: number;
  };
  /** Contents that stop the check, also without a verdict, come first. In a dry run, contents to be sent come first. */
  readonly contents: readonly ReportedContent[];
  /** The address of the report page's artifact; undefined until the page is uploaded, so not in report.json. */
  readonly reportUrl?: string;
}

/** What follows from the findings and the verdict. The sentences about the run and its steps are made of it. */
export type ReportFacts = Omit<Report, 'headline' | 'consequence' | 'cost' | 'nextSteps'>;

/** This version is raised when a field is removed or changes its meaning, but not when a field is added. */
const JSON_VERSION = 9;

/** Renders report.json, for programs: the report itself, without undefined fields. */
export function renderJson(report: Report): string {
  return `${JSON.stringify({ schemaVersion: JSON_VERSION, ...report }, undefined, 1)}\n`;
}

// The order of all reports, and the groups and numbers of their issues and files.

/** Whether somebody has accepted the issue. */
export function isAccepted({ standing }: ReportedIssue): boolean {
  return standing === 'waived' || standing === 'ignored';
}

/** What went wrong. The reason why a run was skipped is no problem, and the headline names it. */
export function problemsOf({ causes, verdict, reason }: ReportFacts): readonly ReportedCause[] {
  return causes.filter((cause) => verdict !== 'skipped' || cause.reason !== reason);
}

/** Counts files, not contents: the same bytes at two paths are two files. */
export function countFiles(contents: readonly ReportedContent[]): number {
  return contents.reduce((sum, { paths }) => sum + paths.length, 0);
}

export function countBySeverity(issues: readonly ReportedIssue[]): Record<Severity, number> {
  const counts = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  for (const { severity } of issues) counts[severity] += 1;
  return counts;
}

/** "2 CRITICAL", "1 MAJOR": the severities that occur, most severe first. */
export function formatSeverities(issues: readonly ReportedIssue[]): readonly string[] {
  const counts = countBySeverity(issues);
  return SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${count(counts[severity])} ${severity}`,
  );
}

/** What decides about the place of an item. Without an issue or a path, it comes after those that have one. */
interface Place {
  readonly effectRank?: number;
  readonly isChanged?: boolean | undefined;
  readonly issue?: ReportedIssue | undefined;
  readonly path?: string | undefined;
}

/** The order of all reports: what stops the check, then what the pull request changes, then severity, then the path. */
export function inReportOrder<T>(items: readonly T[], placeOf: (item: T) => Place): readonly T[] {
  const keyed = items.map((item) => {
    const { effectRank = 0, isChanged, issue, path = '\uffff' } = placeOf(item);
    const severity = issue ? severityRank(issue.severity) : SEVERITIES.length;
    // Each rank is one digit. Code units decide, so that the order does not depend on the machine's language.
    return { item, key: [effectRank, isChanged ? 0 : 1, severity, path].join(' ') };
  });
  return keyed
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ item }) => item);
}

/** Whether an issue stops the check, is active but does not stop it, or does not count. */
export const EFFECTS = ['Stops the check', 'Counts', 'Does not count'] as const;
type Effect = (typeof EFFECTS)[number];

export function effectOnCheck({ standing, failsGate }: ReportedIssue): Effect {
  if (standing !== 'active') return 'Does not count';
  return failsGate ? 'Stops the check' : 'Counts';
}

export interface ListedIssue {
  /** Identifies the issue in the address of the report page. */
  readonly id: string;
  readonly content: ReportedContent;
  readonly issue: ReportedIssue;
}

/** All issues of all contents: issues that stop the check, then other active issues, then issues that do not count. */
export function listIssues({ contents }: Pick<Report, 'contents'>): readonly ListedIssue[] {
  const listed = contents.flatMap((content) => content.issues.map((issue) => ({ content, issue })));
  const numbers = new Map<string, number>();
  return inReportOrder(listed, ({ content: { isChanged, paths }, issue }) => {
    return { effectRank: EFFECTS.indexOf(effectOnCheck(issue)), isChanged, issue, path: paths[0] };
  }).map((entry) => {
    // The id has the reference number, so that people can read and type it. Two issues may have the same number.
    const name = `issue-${entry.issue.referenceNumber ?? 'unnumbered'}`;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return { ...entry, id: number === 1 ? name : `${name}-${number}` };
  });
}

/** The issues of `listIssues` with this effect, in the same order. */
export function issuesWith(effect: Effect, report: Pick<Report, 'contents'>): readonly ListedIssue[] {
  return listIssues(report).filter(({ issue }) => effectOnCheck(issue) === effect);
}

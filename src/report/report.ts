import type { Policy } from '../inputs/inputs.ts';
import type { Cause, Reason, Step } from '../lib/cause.ts';
import type { Category } from '../media/media-types.ts';
import type { LastKnown } from '../plan/describe.ts';
import type { Analysis } from '../service/analysis.ts';
import { type Issue, SEVERITIES, type Severity, severityRank, type Topic } from '../service/issue.ts';
import type { VerdictName } from '../verdict/judge.ts';
import type { JudgedIssue, Standing } from '../verdict/judge-issues.ts';

export interface ReportedIssue extends JudgedIssue {
  /** Into the service's own pages, from the input `issue-url`. */
  readonly url: string | undefined;
}

/** The same bytes in several paths are one content, one asset at the service, and are counted once. */
export interface ReportedContent {
  /** Sorted; at least one. */
  readonly paths: readonly string[];
  /** Whether the pull request changes one of them; undefined if that is not known. */
  readonly isChanged: boolean | undefined;
  readonly size: number;
  readonly sha256: string;
  readonly mime: string;
  readonly category: Category | undefined;
  /** Where its analysis comes from. */
  readonly source: 'sent' | 'reused' | 'awaited' | 'not-sent';
  /** Why: "new", "sidekicks changed", "unchanged". */
  readonly sourceReason: string;
  /** Whether it was sent although an earlier run had paid for the same analysis. */
  readonly isPaidAgain: boolean;
  readonly analysedAt: string | undefined;
  /** Set if the statuses of its issues were not read in this run: when they were known. */
  readonly lastKnownAt: string | undefined;
  readonly submissionId: string | undefined;
  readonly assetId: string | undefined;
  readonly versionNumber: number | undefined;
  readonly versionCount: number | undefined;
  readonly retries: number;
  readonly outcome: Analysis['outcome'];
  /** Worst first. */
  readonly issues: readonly ReportedIssue[];
  /** Issues of the previous version that this one does not have; undefined if there is no previous version. */
  readonly fixed: readonly Issue[] | undefined;
  readonly topics: readonly Topic[];
}

/** A cause with everything that shares it. In a finished report its steps name the files, and their links are addresses. */
export interface ReportedCause extends Omit<Cause, 'path' | 'submissionId'> {
  /** Empty if the cause is not about a file. */
  readonly paths: readonly string[];
  readonly submissionIds: readonly string[];
  /** Whether the pull request changes these files; undefined if that is not known, or if the cause is about no file. */
  readonly isChanged: boolean | undefined;
}

export interface Counts {
  /** Active issues, each counted once. */
  readonly issues: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly newIssues: number;
  readonly known: number;
  readonly waived: number;
  readonly ignored: number;
  readonly failing: number;
  /** Paths. */
  readonly filesMatched: number;
  readonly filesSubmitted: number;
  readonly filesReused: number;
  /** In the submission that this run created: what is billed. */
  readonly assetsSubmitted: number;
  readonly assetsFailed: number;
}

/** Everything a reader may want to know about a run. Every renderer takes this and nothing else. */
export interface Report {
  readonly gate: string;
  /** When the verdict was reached, ISO 8601. */
  readonly judgedAt: string;
  /** Where a reader finds the report page: "artifact media-compliance-report.html of this run". Undefined if it is not uploaded. */
  readonly fullReport?: string;
  /** The address of the page's artifact; undefined as long as it is not uploaded. */
  readonly reportUrl?: string;
  readonly verdict: VerdictName;
  readonly reason: Reason | '';
  /** Whether the check passes. */
  readonly isPassing: boolean;
  readonly mode: 'live' | 'sandbox' | '';
  /** Set if the service did not respond. Reused results are then shown as last known. */
  readonly lastKnown: LastKnown | undefined;
  /** One sentence: the verdict and why. Plain text, may hold text from outside. */
  readonly headline: string;
  /** What to do next, most useful first. */
  readonly nextSteps: readonly Step[];
  readonly causes: readonly ReportedCause[];
  /** What else a reader should know: patterns that matched nothing, state that could not be read. */
  readonly notices: readonly string[];
  readonly policy: Pick<Policy, 'failOnSeverity' | 'failOnIssues' | 'ignoreStatuses'>;
  /** The input `waivers-file`. */
  readonly waiversFile: string | undefined;
  readonly submission: {
    readonly id: string;
    readonly status: string;
    /** The service's support asks for it. */
    readonly workflowId: string | undefined;
    /** The service may have made, and billed, a second one of the same files. */
    readonly mayExistTwice: boolean;
  };
  /** The action's own pages, in the version that runs. */
  readonly docs: string | undefined;
  readonly run: {
    readonly repository: string;
    readonly commit: string;
    readonly ref: string;
    readonly event: string;
    readonly url: string;
    /** https://github.com, or the address of an Enterprise Server; undefined outside a runner. */
    readonly serverUrl: string | undefined;
    /** The branch whose media are checked; `owner:branch` for a fork's. */
    readonly branch: string | undefined;
    readonly pullRequest:
      | { readonly number: number; readonly headCommit: string /** Its page. */; readonly url: string | undefined }
      | undefined;
  };
  readonly counts: Counts;
  /** How many assets a real run would submit; undefined unless this was a dry run. */
  readonly plannedAssets: number | undefined;
  readonly highestSeverity: Severity | '';
  /** What stops the check first, then what was not judged; in each, what the pull request changes, then by severity and path. */
  readonly contents: readonly ReportedContent[];
}

/** What the headline and the next steps are made from. The steps of its causes still name their file as `FILE`. */
export type JudgedRun = Omit<Report, 'headline' | 'nextSteps'>;

/** An issue with the content it was found in. */
export interface ListedIssue {
  /** Its name in the address of the report page. */
  readonly id: string;
  readonly content: ReportedContent;
  readonly issue: ReportedIssue;
  /** Titles of the topics that it belongs to. */
  readonly topics: readonly string[];
}

export function countBySeverity(issues: readonly ReportedIssue[]): Counts['bySeverity'] {
  const counts = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  for (const { severity } of issues) counts[severity] += 1;
  return counts;
}

/** What the pull request changes comes first, what it does not change last. */
export function rankOfChange({ isChanged }: Pick<ReportedContent, 'isChanged'>): number {
  if (isChanged === undefined) return 1;
  return isChanged ? 0 : 2;
}

/** By the first path; what has none comes last. */
export function comparePaths([one = '\uffff']: readonly string[], [other = '\uffff']: readonly string[]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** By the effect on the check, then what the pull request changes, then by severity. Without an issue, it comes last. */
export function rankOf(effect: number, content: ReportedContent, issue: ReportedIssue | undefined): number {
  const severity = issue ? severityRank(issue.severity) : SEVERITIES.length;
  return (effect * 3 + rankOfChange(content)) * (SEVERITIES.length + 1) + severity;
}

const STANDINGS: readonly Standing[] = ['active', 'known', 'waived', 'ignored'];

function rankOfIssue({ content, issue }: Pick<ListedIssue, 'content' | 'issue'>): number {
  return rankOf(issue.failsGate ? -1 : STANDINGS.indexOf(issue.standing), content, issue);
}

/**
 * All issues of all contents, in the order in which a reader needs them: what stops the check, then what counts, then what
 * does not. In each of these, issues in files that the pull request changes come first, then severity decides, then the path.
 */
export function listIssues({ contents }: Pick<Report, 'contents'>): readonly ListedIssue[] {
  // Sorting keeps the order of equal issues. There are fewer contents than issues, so comparing their paths is quicker.
  const listed = contents
    .toSorted((one, other) => comparePaths(one.paths, other.paths))
    .flatMap((content) => {
      const titles = content.topics.flatMap(({ title, issueIds }) => issueIds.map((id) => ({ id, title })));
      const byIssue = Map.groupBy(titles, ({ id }) => id);
      return content.issues.map((issue) => {
        // Two topics may have one title.
        const topics = new Set(byIssue.get(issue.id)?.map(({ title }) => title));
        return { content, issue, topics: [...topics] };
      });
    });
  const numbers = new Map<string, number>();
  return listed
    .toSorted((one, other) => rankOfIssue(one) - rankOfIssue(other))
    .map((entry) => {
      // By reference number, so that people can read and type the address of an issue. Two issues may have one number.
      const name = `issue-${entry.issue.referenceNumber ?? 'unnumbered'}`;
      const number = (numbers.get(name) ?? 0) + 1;
      numbers.set(name, number);
      return { ...entry, id: number === 1 ? name : `${name}-${number}` };
    });
}

export function stoppingIssues(report: Pick<Report, 'contents'>): readonly ListedIssue[] {
  return listIssues(report).filter(({ issue }) => issue.failsGate);
}

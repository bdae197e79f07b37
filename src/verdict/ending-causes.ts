import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Cause } from '../lib/cause.ts';
import { formatList } from '../lib/format.ts';
import type { Plan } from '../plan/plan.ts';
import type { Skipped } from './outcome.ts';

/** The texts of runs that end without a full analysis. */

export function skip(cause: Cause, isExpected = false): Skipped {
  return { kind: 'skipped', cause, isExpected };
}

export const DRY_RUN: Cause = {
  reason: 'dry-run',
  message: 'This was a dry run: nothing was sent or judged.',
  fix: 'Remove `dry-run: true` to send the files and judge the issues.',
};

/** A dry run reports what would make a real run fail. */
export function dryRunNotice({ path, message, fix }: Cause): string {
  return `A real run would fail: ${path === undefined ? '' : `${path}: `}${message} ${fix}`;
}

const MAX_PATTERNS = 5;

/** @param root the folder that was searched */
export function noFilesMatch({
  files,
  filesAreDefault,
  root,
}: Pick<Inputs, 'files' | 'filesAreDefault' | 'root'>): Cause {
  const patterns = filesAreDefault
    ? 'the default patterns'
    : formatList(
        files.map(({ text }) => `\`${text}\``),
        MAX_PATTERNS,
      );
  return {
    reason: 'no-files',
    message: 'No file matches the input `files`, so nothing was checked.',
    fix: `Searched in ${root} for ${patterns}. If there should be media, correct \`files\` or \`working-directory\`. If not, set \`if-no-files-found: ignore\`.`,
  };
}

export function missingBaselineNotice({ baseBranch }: Pick<RunContext, 'baseBranch'>): string {
  return baseBranch === undefined
    ? '`fail-on-issues: new` needs a base branch to compare with, and this run has none. Every issue counts as new.'
    : `\`fail-on-issues: new\` found no analysis of the base branch ${baseBranch}. Every issue counts as new. Run this gate on \`push\` to ${baseBranch} as well.`;
}

/** Why a report shows earlier results: the service did not answer. */
export interface LastKnown {
  /** When the oldest of the analyses was made, ISO 8601. */
  readonly since: string;
  /** One or more sentences. Plain text, may hold text from outside. */
  readonly message: string;
}

/** Undefined if no earlier result is shown. */
export function lastKnownOf(outage: Cause, { reuse, submit, await: awaited }: Plan): LastKnown | undefined {
  const [since] = reuse.map(({ known }) => known.analysedAt).toSorted();
  if (since === undefined) return undefined;
  const stands =
    submit.length === 0 && awaited.length === 0
      ? 'No file has changed, so the last known verdict stands'
      : 'Earlier analyses are shown as last known';
  return {
    since,
    message: `${outage.message} ${stands}; the oldest analysis is from ${since.slice(0, 10)}. Issues that were dismissed or re-opened since then are not taken into account.`,
  };
}

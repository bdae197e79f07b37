import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A service with wrong responses. If it hides something, that is a CRITICAL issue in `two.png`. */
export interface Lie {
  readonly name: string;
  readonly scenario?: Scenario;
  /** Changes the responses of an endpoint, to a value or to raw text. `nth` counts from 1. */
  readonly edits?: Partial<Readonly<Record<Endpoint, (json: Json, nth: number) => unknown>>>;
  /** Its responses were right in the run before, which saved a state. */
  readonly isLater?: true;
  /** So large that it also keeps this process busy: nothing else may run at the same time. */
  readonly isHuge?: true;
  /** Inputs beside the usual ones. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** `failing`: either of the two. */
  readonly verdict: 'fail' | 'error' | 'failing';
  readonly reason?: string;
  /** What the log or the summary says about it. */
  readonly says: RegExp;
}

export const CRITICAL = { severity: 'CRITICAL', ruleCode: 'AD-17' } as const;
export const HIDDEN: Scenario = { files: [{ match: 'two-', issues: [CRITICAL] }] };
export const FOUND = /CRITICAL issue/;
export const OTHER_ID = '00000000-0000-4000-8000-000000000000';

export function assetsIn({ assets }: Json): readonly Json[] {
  return Array.isArray(assets) ? assets : [];
}

export function withAssets(edit: (asset: Json, index: number) => Json | undefined): (json: Json) => Json {
  return (json) => ({
    ...json,
    assets: assetsIn(json)
      .map(edit)
      .filter((asset) => asset !== undefined),
  });
}

export function issuesIn({ issues }: Json): readonly Json[] {
  return Array.isArray(issues) ? issues : [];
}

export function withIssues(edit: (issue: Json) => unknown): (json: Json) => Json {
  return (json) => ({ ...json, issues: issuesIn(json).map(edit) });
}

/** The same lie in both responses that list issues. */
export function everywhere(edit: (issue: Json) => unknown): NonNullable<Lie['edits']> {
  return { 'assets/read': withIssues(edit), 'assets/issues': withIssues(edit) };
}

/** JSON of 100,000 nested lists. */
export const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

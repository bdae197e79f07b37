import type { RunContext } from '../github/context.ts';
import type { Issue } from '../service/issue.ts';
import { analysisId, isAnalysed, type StateDocument } from '../state/document.ts';

export function missingBaselineNotice({ baseBranch }: Pick<RunContext, 'baseBranch'>): string {
  return baseBranch === undefined
    ? '`fail-on-issues: new` needs a base branch to compare with, and this run has none. Every issue counts as new.'
    : `\`fail-on-issues: new\` found no analysis of the base branch ${baseBranch}. Every issue counts as new. Run this gate on \`push\` to ${baseBranch} as well; with \`state-file\`, restore the state of the base commit.`;
}

/**
 * The issues of the base branch. Its state also contains analyses of other branches and earlier days. They are not part
 * of the baseline: otherwise a file that was rejected in one pull request would be accepted in the next.
 */
export class Baseline {
  readonly #byPath = new Map<string, BaseFile>();
  readonly #bySha = new Map<string, BaseFile>();

  constructor({ contents, paths }: StateDocument) {
    const analyses = new Map(contents.filter(isAnalysed).map((record) => [analysisId(record), record.issues]));
    for (const path of paths) {
      const issues = path.isPresent ? analyses.get(analysisId(path)) : undefined;
      if (!issues) continue;
      const file = { sha256: path.sha256, issues };
      this.#byPath.set(path.path, file);
      this.#bySha.set(path.sha256, file);
    }
  }

  /** The base branch's file at this path, otherwise its file with the same bytes: the file may have been renamed. */
  fileAt(path: string, sha256: string): BaseFile | undefined {
    return this.#byPath.get(path) ?? this.#bySha.get(sha256);
  }
}

interface BaseFile {
  readonly sha256: string;
  readonly issues: readonly Issue[];
}

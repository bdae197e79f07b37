import { type CountedFile, countBranches, type IstanbulFile, tableOf } from './branches.ts';

interface Options {
  /** What was counted, in words. */
  readonly title: string;
  /** Given by Vitest. */
  readonly projectRoot: string;
}

interface Visitor {
  onDetail(node: { getFileCoverage(): IstanbulFile }): void;
}

/** What Vitest calls a report with. */
export interface ReportContext {
  getTree(kind: 'flat'): { visit(visitor: Visitor, context: ReportContext): void };
}

export function countedFiles(context: ReportContext, projectRoot: string): readonly CountedFile[] {
  const files: CountedFile[] = [];
  context.getTree('flat').visit(
    {
      onDetail: (node) => {
        files.push(countBranches(node.getFileCoverage(), projectRoot));
      },
    },
    context,
  );
  return files;
}

/** Prints how many branches of src/ were taken. Vitest makes one and calls it at the end of a run. */
export default class BranchReport {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  execute(context: ReportContext): void {
    const { title, projectRoot } = this.#options;
    console.log(`\nBranches of src/ that were taken, ${title}\n\n${tableOf(countedFiles(context, projectRoot))}\n`);
  }
}

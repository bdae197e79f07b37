import { type CountedFile, countBranches, type IstanbulFile, notTaken, tableOf } from './branches.ts';

interface Options {
  /** What was counted, in words. */
  readonly title: string;
  /** Names every branch that was not taken, too. */
  readonly isList?: boolean;
  /** Given by Vitest. */
  readonly projectRoot: string;
}

interface Visitor {
  onDetail(node: { getFileCoverage(): IstanbulFile }): void;
}

interface Context {
  getTree(kind: 'flat'): { visit(visitor: Visitor, context: Context): void };
}

/** Prints how many branches of src/ were taken. Vitest makes one and calls it at the end of a run. */
export default class BranchReport {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  execute(context: Context): void {
    const { title, isList, projectRoot } = this.#options;
    const files: CountedFile[] = [];
    context.getTree('flat').visit(
      {
        onDetail: (node) => {
          files.push(countBranches(node.getFileCoverage(), projectRoot));
        },
      },
      context,
    );
    const list = isList ? `\n\nNot taken:\n${notTaken(files).join('\n')}` : '';
    console.log(`\nBranches of src/ that were taken, ${title}\n\n${tableOf(files)}${list}\n`);
  }
}

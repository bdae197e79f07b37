import { countFolders, notTaken, share } from '../../test/coverage/branches.ts';
import { countedFiles, type ReportContext } from '../../test/coverage/report.ts';
import { record, table, today } from '../record.ts';

/** Names every branch that was not taken, and records how many were. Vitest makes one and calls it at the end of a run. */
export default class CoverageRecord {
  readonly #projectRoot: string;

  constructor({ projectRoot }: { readonly projectRoot: string }) {
    this.#projectRoot = projectRoot;
  }

  execute(context: ReportContext): void {
    const files = countedFiles(context, this.#projectRoot);
    const rows = countFolders(files).map(({ name, taken, all }) => [
      name === 'all' ? '**all**' : `\`${name}\``,
      all,
      taken,
      share(taken, all),
    ]);
    const counted = table(['folder', 'branches', 'taken', 'share'], ['---', '---:', '---:', '---:'], rows);
    record('coverage', `Last run: ${today()}.\n\n${counted}`);
    console.log(`\nNot taken:\n${notTaken(files).join('\n')}\n\n${counted}\n`);
  }
}

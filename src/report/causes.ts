import type { Cause } from '../lib/cause.ts';
import type { Report } from './report.ts';

/** Causes that need a table. Where one alone is the verdict, the title and the next step have told it already. */
export function tabledCauses({ causes, verdict }: Pick<Report, 'causes' | 'verdict'>): readonly Cause[] {
  return causes.length > 1 || verdict === 'fail' ? causes : [];
}

/** What the table is about: a wrong input is no file. */
export function causesTitle({ counts }: Pick<Report, 'counts'>): string {
  return counts.filesMatched === 0 ? 'What is wrong' : 'What could not be judged';
}

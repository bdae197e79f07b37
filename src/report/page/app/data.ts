import type { Report } from '../../report.ts';
import { type Box, type Entry, listEntries } from './entries.ts';
import { inBox } from './filter.ts';

/** The report that this page shows. */
export const report: Report = JSON.parse(document.getElementById('report')?.textContent ?? '');
export const all: readonly Entry[] = listEntries(report);

const isAboutProblems = report.verdict === 'error' || report.verdict === 'skipped';
const FIRST = isAboutProblems ? (['problems', 'active'] as const) : (['active', 'problems'] as const);

/** The list that the page opens with. */
export const usualBox: Box = FIRST.find((box) => inBox(all, box).length > 0) ?? 'files';

/** Whether the screen is so narrow that the chosen entry covers the list. page.css has the same limit. */
export function isPhone(): boolean {
  return matchMedia('(max-width: 859px)').matches;
}

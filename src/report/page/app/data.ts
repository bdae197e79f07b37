import type { Report } from '../../report.ts';
import { type Entry, listEntries } from './entries.ts';

/** What this page shows. */
export const report: Report = JSON.parse(document.getElementById('report')?.textContent ?? '');
export const all: readonly Entry[] = listEntries(report);

import { Budget } from './budget.ts';
import { worstFirst } from './order.ts';
import type { Report } from './report.ts';
import { bodyOf } from './summary.ts';

/** Counted in bytes, which are never fewer than GitHub's 65,536 characters. */
const MAX_BYTES = 65_536;
const FRAME_BYTES = 4_096;

/** A later run finds the comment by this line. Nothing in a marker can end the HTML comment. */
export function markerLine(marker: string): string {
  return `<!-- ${marker.replace(/[^\w:./@ ]/gu, '-').replace(/-{2,}/g, '-')} -->`;
}

/** The pull-request comment: the summary, shorter. It leaves out issues that do not count. */
export function renderComment(report: Report, marker: string): string {
  const head = markerLine(marker);
  const budget = new Budget(MAX_BYTES - FRAME_BYTES);
  budget.take(head);
  const active = worstFirst(report).filter(({ issue }) => issue.standing === 'active');
  return [head, ...bodyOf(report, active, budget, { isComment: true })].join('\n\n');
}

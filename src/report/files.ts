import { renderCleared, renderPredicate } from './cleared.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import type { EmbeddedMedia } from './page/media.ts';
import { renderPage } from './page/page.ts';
import type { Report } from './report.ts';
import { renderSarif } from './sarif.ts';
import { renderSummary } from './summary.ts';

export const HTML_NAME = 'report.html';
export const SARIF_NAME = 'report.sarif';

interface ReportFile {
  readonly name: string;
  /** Called only when it is written: all files at once would take too much memory. */
  readonly render: () => string | Iterable<string>;
}

/**
 * All report files, to be written into one folder.
 *
 * @param media by the SHA-256 of the content
 */
export function reportFiles(report: Report, media: ReadonlyMap<string, EmbeddedMedia>): readonly ReportFile[] {
  return [
    { name: HTML_NAME, render: () => renderPage(report, media) },
    { name: 'report.json', render: () => renderJson(report) },
    { name: SARIF_NAME, render: () => renderSarif(report) },
    { name: 'junit.xml', render: () => renderJunit(report) },
    { name: 'summary.md', render: () => renderSummary(report) },
    { name: 'cleared.sha256', render: () => renderCleared(report) },
    { name: 'predicate.json', render: () => renderPredicate(report) },
  ];
}

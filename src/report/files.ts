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

/** All report files. Each is rendered when it is written, because all texts at once would take too much memory. */
export const REPORT_FILES: Readonly<Record<string, (report: Report, media: EmbeddedMedia) => string>> = {
  [HTML_NAME]: renderPage,
  'report.json': renderJson,
  [SARIF_NAME]: (report) => renderSarif(report),
  'junit.xml': renderJunit,
  'summary.md': (report) => renderSummary(report),
  'cleared.sha256': renderCleared,
  'predicate.json': renderPredicate,
};

import { renderCleared, renderPredicate } from './cleared.ts';
import { renderHtml } from './html.ts';
import type { EmbeddedMedia } from './html-media.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import type { Report } from './report.ts';
import { renderSarif } from './sarif.ts';
import { renderSummary } from './summary.ts';

export const HTML_NAME = 'report.html';
export const SARIF_NAME = 'report.sarif';

export interface ReportFile {
  readonly name: string;
  readonly content: string;
}

/** All report files, to be written into one folder. */
export function reportFiles(report: Report, media?: ReadonlyMap<string, EmbeddedMedia>): readonly ReportFile[] {
  return [
    { name: HTML_NAME, content: renderHtml(report, media) },
    { name: 'report.json', content: renderJson(report) },
    { name: SARIF_NAME, content: renderSarif(report) },
    { name: 'junit.xml', content: renderJunit(report) },
    { name: 'summary.md', content: renderSummary(report) },
    { name: 'cleared.sha256', content: renderCleared(report) },
    { name: 'predicate.json', content: renderPredicate(report) },
  ];
}

import { isAtLeast } from '../service/issue.ts';
import { countBySeverity, inReportOrder, isAccepted, type Report } from './report.ts';

/**
 * The files whose result a live run has read and that have no issue at or above the threshold which is neither waived
 * nor closed at the service. A file judged by its last known issues is not cleared.
 */
function clearedFiles({ mode, verdict, contents, policy }: Report) {
  if (mode !== 'live' || verdict === 'skipped') return [];
  const files = contents
    .filter(({ outcome }) => outcome === 'result')
    .filter(
      ({ issues }) => !issues.some((issue) => !isAccepted(issue) && isAtLeast(issue.severity, policy.failOnSeverity)),
    )
    .flatMap((content) => content.paths.map((path) => ({ path, content })));
  return inReportOrder(files, ({ path }) => ({ path }));
}

/** Renders cleared.sha256, a file for `sha256sum --check`. */
export function renderCleared(report: Report): string {
  const lines = clearedFiles(report).map(({ path, content: { sha256 } }) => {
    // A name that would break the line is escaped. A backslash before the hash marks an escaped name.
    const name = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    return `${name === path ? '' : '\\'}${sha256}  ${name}\n`;
  });
  return lines.join('');
}

/**
 * Renders predicate.json: the statement about the cleared files, to be signed as an in-toto attestation whose subjects
 * are the files in cleared.sha256.
 */
export function renderPredicate(report: Report): string {
  const { gate, judgedAt: timeVerified, verdict, policy } = report;
  const files = clearedFiles(report);
  const predicate = {
    schemaVersion: 2,
    verifier: { name: 'Media Compliance Gate', gate },
    timeVerified,
    verdict,
    policy,
    counts: { filesMatched: report.counts.filesMatched, filesCleared: files.length },
    cleared: files.map(({ path, content: { sha256, analysedAt, submissionId, assetId, versionNumber, issues } }) => ({
      name: path,
      digest: { sha256 },
      analysedAt,
      submissionId,
      assetId,
      versionNumber,
      activeIssues: countBySeverity(issues.filter(({ standing }) => standing === 'active')),
      waivers: issues.flatMap(({ waiver, ruleCode }) => (waiver ? [{ ruleCode, ...waiver }] : [])),
    })),
  };
  return `${JSON.stringify(predicate, undefined, 1)}\n`;
}

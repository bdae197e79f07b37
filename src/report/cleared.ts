import { countBySeverity, type Report } from './report.ts';

/** Contents that were analysed, whose results were read in full, and in which nothing stops the check. */
function clearedFiles({ mode, verdict, contents }: Report) {
  if (mode !== 'live' || verdict === 'skipped') return [];
  return contents
    .filter(({ outcome, issues }) => outcome === 'judged' && !issues.some(({ failsGate }) => failsGate))
    .flatMap((content) => content.paths.map((path) => ({ path, content })))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Renders cleared.sha256, a file for `sha256sum --check`. */
export function renderCleared(report: Report): string {
  return clearedFiles(report)
    .map(({ path, content }) => checksumLine(content.sha256, path))
    .join('');
}

const CHECKSUM_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** Escapes a name that would break the line. A backslash before the hash marks an escaped name. */
function checksumLine(sha256: string, path: string): string {
  const name = path.replace(/[\\\n\r]/g, (character) => CHECKSUM_ESCAPES[character] ?? character);
  return `${name === path ? '' : '\\'}${sha256}  ${name}\n`;
}

/**
 * Renders predicate.json: the statement about the cleared files, to be signed as an in-toto attestation whose subjects
 * are the files in cleared.sha256.
 */
export function renderPredicate(report: Report): string {
  const files = clearedFiles(report);
  const { repository, commit, ref, url: run } = report.run;
  return `${JSON.stringify(
    {
      schemaVersion: 1,
      verifier: { name: 'Media Compliance Gate', gate: report.gate },
      timeVerified: report.judgedAt,
      verdict: report.verdict,
      reason: report.reason,
      mode: report.mode,
      // "read" if this run could read the statuses of all issues from the service.
      statuses: report.lastKnown || report.contents.some(({ lastKnownAt }) => lastKnownAt) ? 'last known' : 'read',
      policy: report.policy,
      source: { repository, commit, ref, run },
      counts: { filesMatched: report.counts.filesMatched, filesCleared: files.length },
      cleared: files.map(({ path, content }) => ({
        name: path,
        digest: { sha256: content.sha256 },
        analysedAt: content.analysedAt ?? null,
        submissionId: content.submissionId ?? null,
        assetId: content.assetId ?? null,
        versionNumber: content.versionNumber ?? null,
        activeIssues: countBySeverity(content.issues.filter(({ standing }) => standing === 'active')),
        waivers: content.issues.flatMap(({ waiver, ruleCode }) => (waiver ? [{ ruleCode, ...waiver }] : [])),
      })),
    },
    undefined,
    1,
  )}\n`;
}

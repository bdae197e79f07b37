import { countBySeverity, type Report } from './report.ts';

/** Contents that were analysed, whose results were read in full, and in which nothing stops the check. */
function clearedFiles({ mode, verdict, contents }: Report) {
  if (mode !== 'live' || verdict === 'skipped') return [];
  return contents
    .filter(({ outcome, issues }) => outcome === 'judged' && !issues.some(({ failsGate }) => failsGate))
    .flatMap((content) => content.paths.map((path) => ({ path, content })))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** cleared.sha256: `sha256sum --check` reads it. */
export function renderCleared(report: Report): string {
  return clearedFiles(report)
    .map(({ path, content }) => checksumLine(content.sha256, path))
    .join('');
}

const CHECKSUM_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** A name that would break the line is escaped, which a backslash before the hash marks. */
function checksumLine(sha256: string, path: string): string {
  const name = path.replace(/[\\\n\r]/g, (character) => CHECKSUM_ESCAPES[character] ?? character);
  return `${name === path ? '' : '\\'}${sha256}  ${name}\n`;
}

/**
 * predicate.json: what is said about the cleared files, to be signed as an in-toto attestation whose subjects are those
 * of cleared.sha256.
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
      // Whether the service gave the statuses of all issues in this run.
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

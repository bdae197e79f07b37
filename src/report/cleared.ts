import { formatList, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import type { Report, ReportedContent } from './report.ts';

/** What was really analysed, whose result was read in full, and in which nothing fails the gate. */
function isCleared(report: Report, asset: ReportedContent): boolean {
  if (report.mode !== 'live' || report.verdict === 'skipped') return false;
  return asset.outcome === 'judged' && !asset.issues.some((issue) => issue.failsGate);
}

function clearedFiles(report: Report): readonly { readonly path: string; readonly asset: ReportedContent }[] {
  return report.assets
    .filter((asset) => isCleared(report, asset))
    .flatMap((asset) => asset.paths.map((path) => ({ path, asset })))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** cleared.sha256: `sha256sum --check` reads it. */
export function renderCleared(report: Report): string {
  return clearedFiles(report)
    .map(({ path, asset }) => checksumLine(asset.sha256, path))
    .join('');
}

/** The notice about names that `actions/attest` does not read; undefined if there are none. */
export function describeUnattestable(report: Report): string | undefined {
  const names = clearedFiles(report)
    .map(({ path }) => path)
    .filter((path) => /[\\\n\r]/.test(path));
  if (names.length === 0) return undefined;
  return `\`actions/attest\` refuses names with a backslash or a line end, and \`cleared.sha256\` has ${plural(names.length, 'such name')}: ${formatList(names)}. Rename the files if you attest them.`;
}

const CHECKSUM_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** A name that would break the line is escaped, and a backslash before the hash says so. */
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
  return `${JSON.stringify(
    {
      schemaVersion: 1,
      verifier: { name: 'Media Compliance Gate', gate: report.gate },
      timeVerified: report.judgedAt,
      verdict: report.verdict,
      reason: report.reason,
      mode: report.mode,
      // Whether the service gave the statuses of all issues in this run.
      statuses: report.lastKnown || report.assets.some(({ lastKnownAt }) => lastKnownAt) ? 'last known' : 'read',
      policy: report.policy,
      source: {
        repository: report.run.repository,
        commit: report.run.commit,
        ref: report.run.ref,
        run: report.run.url,
      },
      counts: { filesMatched: report.counts.filesMatched, filesCleared: files.length },
      cleared: files.map(({ path, asset }) => ({
        name: path,
        digest: { sha256: asset.sha256 },
        analysedAt: asset.analysedAt ?? null,
        submissionId: asset.submissionId ?? null,
        assetId: asset.assetId ?? null,
        versionNumber: asset.versionNumber ?? null,
        activeIssues: Object.fromEntries(
          SEVERITIES.map((severity) => [
            severity,
            asset.issues.filter((issue) => issue.standing === 'active' && issue.severity === severity).length,
          ]),
        ),
        waivers: asset.issues.flatMap(({ waiver, ruleCode }) => (waiver ? [{ ruleCode, ...waiver }] : [])),
      })),
    },
    undefined,
    1,
  )}\n`;
}

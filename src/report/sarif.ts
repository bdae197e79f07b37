import { createHash } from 'node:crypto';
import { visibleLines } from '../lib/escape.ts';
import { truncate } from '../lib/format.ts';
import type { Severity } from '../service/issue.ts';
import { encodePath } from './phrases.ts';
import { isAccepted, type ListedIssue, listIssues, type Report, type ReportedIssue } from './report.ts';

/** The limits of code scanning. */
const MAX_RESULTS = 25_000;
const MAX_LOCATIONS = 100;
const MAX_TEXT_LENGTH = 1_000;

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  CRITICAL: 'error',
  MAJOR: 'warning',
  MINOR: 'note',
  INFO: 'note',
};

/**
 * Renders report.sarif, version 2.1.0, worst issues first. Accepted issues are left out, because code scanning shows
 * even suppressed results as open alerts.
 */
export function renderSarif(report: Report): string {
  const listed = listIssues(report).filter(({ issue }) => !isAccepted(issue));
  const shown = listed.slice(0, MAX_RESULTS);
  const rules = Map.groupBy(shown, ({ issue }) => ruleId(issue));
  const fingerprint = fingerprints();
  return `${JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Media Compliance Gate',
            rules: Array.from(rules, ([id, [first]]) => {
              const text = plain(first?.issue.headline || first?.issue.summary || id);
              return { id, shortDescription: { text: id }, fullDescription: { text }, help: { text } };
            }),
          },
        },
        // The part before the last slash is the category, by which code scanning distinguishes gates.
        automationDetails: { id: `${report.gate}/` },
        properties: { resultsLeftOut: listed.length - shown.length },
        results: shown.map((entry) => result(entry, fingerprint(entry), report)),
      },
    ],
  })}\n`;
}

function ruleId(issue: ReportedIssue): string {
  return truncate(visibleLines(issue.ruleCode).trim(), 200) || 'unnamed-rule';
}

/** Escapes brackets, because a bracket would open a link in a SARIF message. */
function plain(text: string): string {
  return visibleLines(truncate(text, MAX_TEXT_LENGTH)).replace(/[\\[\]]/g, '\\$&');
}

/**
 * Identifies an issue by file, rule, sidekick, and its position among the issues that share these three, because its
 * id at the service changes with every analysis. The fingerprint also replaces `primaryLocationLineHash`, which code
 * scanning would compute from the file's first line, and which would change whenever the media does. Ignore the warning
 * of `upload-sarif` that the hash differs: any other fingerprint closes and reopens every open alert.
 */
function fingerprints(): (entry: ListedIssue) => string {
  const seen = new Map<string, number>();
  return ({ content, issue }) => {
    const key = JSON.stringify([content.paths[0], issue.ruleCode, issue.sidekickId ?? '']);
    const place = (seen.get(key) ?? 0) + 1;
    seen.set(key, place);
    return createHash('sha256').update(`${key}#${place}`).digest('hex').slice(0, 32);
  };
}

function result({ content, issue }: ListedIssue, fingerprint: string, { run }: Report): object {
  const why = issue.headline ? `${plain(issue.headline)}: ` : '';
  return {
    ruleId: ruleId(issue),
    level: LEVELS[issue.severity],
    message: { text: `${issue.severity}: ${why}${plain(issue.summary)}` },
    locations: content.paths.slice(0, MAX_LOCATIONS).map((path) => ({
      physicalLocation: {
        artifactLocation: { uri: encodePath(run.folder + path), uriBaseId: '%SRCROOT%' },
        region: { startLine: 1 },
      },
    })),
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'mediaComplianceIssue/v1': fingerprint },
  };
}

import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type Cause, forOwner } from '../causes/cause.ts';
import { isLoopback } from '../http/proxy.ts';
import { relativeTo } from '../lib/file-system.ts';
import { parseJson } from '../lib/format.ts';
import { DEFAULT_PATTERNS } from '../media/media-types.ts';
import { FilePatterns, whyInvalid } from '../media/patterns.ts';
import type { ServiceAccess } from '../service/endpoints.ts';
import { ISSUE_STATUSES, SEVERITIES } from '../service/issue.ts';
import { formatChoices, InputReader, quoted } from './reader.ts';

/** Allows only characters that are safe in the name of an artifact, in a SARIF category and in an HTML comment. */
const GATE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const DEFAULT_NAME = 'media-compliance';

const LIVE_KEY = /^sk_live_[0-9a-fA-F]{64}$/;
/** The contract does not define what follows the prefix, so every character that a header can carry is allowed. */
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;

/** The settings that a verdict depends on. */
export type Policy = Readonly<Inputs['policy']>;

/**
 * Reads and checks every input. All problems are reported together: one for each rejected input.
 *
 * @param valueOf returns the raw value of an input, or an empty text if the input is not set
 * @param workspace GITHUB_WORKSPACE, the folder that contains `working-directory`
 */
export function readInputs(
  valueOf: (name: string) => string,
  workspace: string,
): { readonly inputs: Inputs; readonly problems: readonly Cause[] } {
  const reader = new InputReader(valueOf);
  const inputs = parseInputs(reader, workspace);
  const { problems, rejected } = reader;
  if (problems.length === 0) return { inputs, problems };
  // If an input is rejected, nothing is sent to the service and no artifact is uploaded. The comment is still written,
  // because an older one would be out of date. With another name, it would be the comment of another gate.
  const comment = rejected.has('name') ? 'never' : inputs.comment;
  return { inputs: { ...inputs, service: undefined, comment, reportArtifact: false }, problems };
}

export type Inputs = Readonly<ReturnType<typeof parseInputs>>;

function parseInputs(reader: InputReader, workspace: string) {
  const dryRun = reader.flag('dry-run');
  const canRunWithoutKey = reader.oneOf('if-no-api-key', ['error', 'skip']) === 'skip' || dryRun;
  const searchRoot = parseWorkingDirectory(reader, workspace);
  return {
    /** Undefined if the API key or the address of the service is missing, or any input is rejected. */
    service: parseService(reader, canRunWithoutKey),
    files: parseFiles(reader, searchRoot),
    stateKey: reader.optional('state-key', (key) => key.length >= 16, 'a secret of at least 16 characters'),
    policy: {
      failOnSeverity: reader.oneOf('fail-on-severity', [...SEVERITIES, 'never']),
      failOnIssues: reader.oneOf('fail-on-issues', ['all', 'new']),
      ignoreStatuses: reader.list(
        'ignore-statuses',
        'RESOLVED, DISMISSED',
        (text) => ISSUE_STATUSES.some((each) => each === text),
        `any of ${formatChoices(ISSUE_STATUSES, 'and')}`,
      ),
      onServiceError: reader.oneOf('on-service-error', ['error', 'warn']),
    },
    comment: reader.oneOf('comment', ['never', 'on-failure', 'always']),
    onlyChanged: reader.flag('only-changed'),
    waiversFile: parseWaiversFile(reader),
    contact: reader.optional(
      'contact',
      (text) => /^.{1,200}$/.test(text),
      'one line of text or an https address, at most 200 characters',
    ),
    issueUrl: reader.optional(
      'issue-url',
      isIssueUrl,
      `an https address with any of ${formatChoices(PLACEHOLDERS, 'and')} in it`,
    ),
    /** Absolute path of the folder that patterns, the waivers file and all shown paths are relative to. */
    searchRoot,
    ifNoFilesFound: reader.oneOf('if-no-files-found', ['warn', 'error', 'ignore']),
    dryRun,
    maxFiles: reader.integer('max-files', 500, 1, 100_000),
    name:
      reader.optional(
        'name',
        (name) => GATE_NAME.test(name),
        'up to 64 letters, digits, `.`, `-` and `_`, beginning with a letter or digit',
      ) ?? DEFAULT_NAME,
    reuseDays: reader.integer('reuse-days', 90, 0, 3650),
    /** If undefined, the field is not sent: an empty list would mean that no sidekick runs. */
    sidekickIds: parseSidekickIds(reader),
    metadata: parseMetadata(reader),
    waitTimeoutMinutes: reader.integer('wait-timeout-minutes', 30, 1, 4320),
    reportArtifact: reader.flag('report-artifact', 'true'),
    stateFile: reader.text('state-file') || undefined,
    githubToken: reader.text('github-token'),
    ...parseSandbox(reader),
    /** The values of the job's matrix as JSON. Empty for a job without a matrix, where `toJSON(matrix)` is `null`. */
    matrix: reader.text('matrix').replace(/^null$/, ''),
  };
}

/** There may be several reasons, and the run cannot tell them apart: GitHub passes an empty value for all of them. */
export const MISSING_KEY = forOwner(
  'no-key',
  'There is no API key: the input `api-key` is empty.',
  'Create the secret `COMPLIANCE_API_KEY` (Settings → Secrets and variables → Actions) and pass it as `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`: a misspelt name gives an empty value. GitHub gives no secrets to pull requests from forks, and to Dependabot only its own. With `if-no-api-key: skip`, these pass unchecked.',
);

/** The key alone decides between live and sandbox mode. No message shows the key. */
function parseService(reader: InputReader, canRunWithoutKey: boolean): ServiceAccess | undefined {
  const apiKey = reader.text('api-key');
  if (apiKey === '' && canRunWithoutKey) return undefined;
  const mode = LIVE_KEY.test(apiKey) ? 'live' : SANDBOX_KEY.test(apiKey) ? 'sandbox' : undefined;
  if (apiKey === '') reader.problems.push(MISSING_KEY);
  else if (!mode)
    reader.reject('api-key', `not a whole key of the service (${apiKey.length} characters, not shown)`, KEYS);
  const baseUrl = parseBaseUrl(reader);
  return mode && baseUrl ? { apiKey, mode, baseUrl } : undefined;
}

const KEYS =
  'the whole key without quotation marks: `sk_live_` and 64 hexadecimal characters, 72 in all, or a key that begins with `sk_test_`';

/** @returns the address that the path of every endpoint is appended to */
function parseBaseUrl(reader: InputReader): string | undefined {
  const value = reader.text('base-url');
  const url = URL.parse(value);
  const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  // An address with these may contain a password, and must not be shown.
  const isSecret = /[@?#]/.test(value);
  if (isAllowed && !isSecret) {
    const pathname = url.pathname.replace(/\/+$/, '');
    return url.origin + (/\/api\/(v\d+\/)?integrations$/.test(pathname) ? pathname : `${pathname}/api/integrations`);
  }
  const shown = value === '' ? 'not set' : `${quoted(value)}, which is not an https address`;
  const got = isSecret ? 'an address with a user name, a password, a query or a fragment (not shown)' : shown;
  reader.reject('base-url', got, "the service's address, such as `https://compliance.example.com`");
  return undefined;
}

function parseFiles(reader: InputReader, searchRoot: string): FilePatterns {
  const lines = reader
    .text('files')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isPath = (line: string): boolean =>
    lstatSync(path.join(searchRoot, line.replace(/^!/, '')), { throwIfNoEntry: false }) !== undefined;
  const takes = 'one pattern in each line, without list mark, quotation marks, or comma with a space';
  for (const line of lines.filter((each) => LOOKS_LIKE_LIST.test(each) && !isPath(each)))
    reader.reject('files', quoted(line), takes);
  // If no line includes anything, the default patterns come first: `userLines` of the patterns relies on this order.
  const all = lines.every((line) => line.startsWith('!')) ? [...DEFAULT_PATTERNS, ...lines] : lines;
  for (const line of all) {
    const problem = whyInvalid(line);
    if (problem !== undefined)
      reader.reject('files', `${quoted(line)}, ${problem}`, 'relative patterns, such as `media/**/*.mp4`');
  }
  // Rejected lines stay in: the run ends before it uses the patterns.
  return new FilePatterns(all);
}

/** A line that is written like a list: with a list mark, in quotation marks, or with a comma and a space. */
const LOOKS_LIKE_LIST = /^-\s|^!?(["'`]).*\1$|,\s/;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function parseSidekickIds(reader: InputReader): readonly string[] | undefined {
  const takes = 'UUIDs, separated by commas or newlines, or nothing at all';
  const ids = reader.list('sidekick-ids', '', (id) => UUID.test(id), takes);
  if (ids.length > 0) return ids.map((id) => id.toLowerCase());
  // An empty list is refused: no sidekick would run, and every file would pass.
  if (reader.text('sidekick-ids') !== '') reader.reject('sidekick-ids', 'a list without items', takes);
  return undefined;
}

function parseMetadata(reader: InputReader): Readonly<Record<string, unknown>> | 'none' {
  const value = reader.text('metadata');
  if (value === 'none') return 'none';
  if (value === '') return {};
  const parsed = parseJson(value);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  const takes = 'a JSON object such as `{"team": "legal"}`, or `none` to send no metadata at all';
  reader.reject('metadata', `${quoted(value)}, which is not a JSON object`, takes);
  return {};
}

/** What the input `issue-url` may contain in braces. */
const PLACEHOLDERS: readonly string[] = ['{referenceNumber}', '{issueId}', '{assetId}', '{submissionId}'];

function isIssueUrl(value: string): boolean {
  const isKnown = (value.match(/\{[^}]*\}/g) ?? []).every((placeholder) => PLACEHOLDERS.includes(placeholder));
  return isKnown && URL.parse(value.replaceAll(/\{[^}]*\}/g, 'x'))?.protocol === 'https:';
}

/** Returns the absolute path of the folder, or the workspace if the input is not set or is rejected. */
function parseWorkingDirectory(reader: InputReader, workspace: string): string {
  const value = reader.text('working-directory');
  const folder = path.resolve(workspace, value);
  if (value === '' || isFolderWithoutLinks(workspace, folder)) return folder;
  const got = `${quoted(value)}, which is not a folder inside the workspace, or is reached through a link`;
  reader.reject('working-directory', got, 'such a folder, usually the `path` of `actions/checkout`');
  return workspace;
}

/** With a link on the way, a pull request could choose another folder, whose waivers would count. */
function isFolderWithoutLinks(workspace: string, folder: string): boolean {
  try {
    const inside = relativeTo(realpathSync(workspace), realpathSync(folder));
    return inside !== undefined && inside === relativeTo(workspace, folder) && lstatSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function parseWaiversFile(reader: InputReader): string | undefined {
  const takes = 'a path relative to `working-directory`, without `..`';
  const value = reader.optional('waivers-file', (text) => !OUTSIDE.test(text), takes);
  return value && path.posix.normalize(value.replaceAll('\\', '/'));
}

/** An absolute path, or one with `..`: behind a link, `..` leads to one file on the disk and another at GitHub. */
const OUTSIDE = /^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/;

function parseSandbox(reader: InputReader) {
  const names = ['simulation-delay-seconds', 'sandbox-event', 'sandbox-error-message'] as const;
  const [delay, event, message] = names;
  if (reader.text('api-key').startsWith('sk_live_'))
    for (const name of names.filter((each) => reader.text(each) !== ''))
      reader.reject(name, 'set with a live key', 'a value only with a sandbox key (`sk_test_…`)');
  else if (reader.text(message) !== '' && reader.text(event) !== 'asset.processing.failed')
    reader.reject(message, 'set without its event', 'a text only beside `sandbox-event: asset.processing.failed`');
  return {
    simulationDelaySeconds: reader.integer(delay, undefined, 0, 30),
    sandboxEvent:
      reader.text(event) === ''
        ? undefined
        : reader.oneOf(event, ['asset.processing.completed', 'asset.processing.failed']),
    sandboxErrorMessage: reader.text(message) || undefined,
  };
}

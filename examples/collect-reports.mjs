// The newest report of every gate of these repositories as one table (CSV), with a sum below. A repository that cannot be read
// or has no report is a row with its problem, and the exit status is then 1:
//   GITHUB_TOKEN=$(gh auth token) node collect-reports.mjs acme/shop acme/blog > reports.csv
// Needs Node 20 or newer, and a token that may read their Actions. Reads report.json.
import { inflateRawSync } from 'node:zlib';

const MAX_PAGES = 10;
const MAX_REPORT_BYTES = 100_000_000;

const { GITHUB_API_URL: api = 'https://api.github.com', GITHUB_TOKEN: token } = process.env;

/** What is shown of a report; numbers are added up. */
const COLUMNS = {
  gate: ({ gate }) => gate,
  verdict: ({ verdict }) => verdict,
  reason: ({ reason }) => reason,
  critical: ({ counts }) => counts.bySeverity.CRITICAL,
  major: ({ counts }) => counts.bySeverity.MAJOR,
  minor: ({ counts }) => counts.bySeverity.MINOR,
  info: ({ counts }) => counts.bySeverity.INFO,
  files: ({ counts }) => counts.filesMatched,
  // In a dry run: what a real one would bill at most.
  planned: ({ reason, contents }) =>
    reason === 'dry-run' ? contents.filter(({ source }) => source === 'not sent').length : 0,
  billed: ({ counts }) => counts.assetsSubmitted,
  run: ({ run }) => run.url,
};

async function get(path) {
  const response = await fetch(`${api}/${path}`, { headers: { authorization: `token ${token}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** One file of a zip archive, found in the directory at its end. */
function unzip(archive, name) {
  for (let at = archive.length; at > 0 && (at = archive.lastIndexOf('PK\x01\x02', at - 1, 'latin1')) !== -1; ) {
    if (archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)) !== name) continue;
    const start = archive.readUInt32LE(at + 42);
    const body = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    try {
      const packed = archive.subarray(body, body + archive.readUInt32LE(at + 20));
      return inflateRawSync(packed, { maxOutputLength: MAX_REPORT_BYTES });
    } catch {
      throw new Error(`${name} is damaged, or larger than ${MAX_REPORT_BYTES} bytes.`);
    }
  }
  throw new Error(`There is no ${name} in the archive.`);
}

/** Anyone can have a fork's run upload an artifact of any name. */
function isOwnReport({ name, expired, workflow_run: run }) {
  return (
    /-report-[0-9a-f]{8}(-\d+)?$/.test(name) &&
    !expired &&
    run?.repository_id > 0 &&
    run.head_repository_id === run.repository_id
  );
}

/** The newest of each gate, among the last 1,000 artifacts. */
async function reportsOf(repository) {
  const listed = [];
  for (let page = 1; page <= MAX_PAGES && listed.length === (page - 1) * 100; page++) {
    const response = await get(`repos/${repository}/actions/artifacts?per_page=100&page=${page}`);
    listed.push(...(await response.json()).artifacts);
  }
  const reports = listed.filter(isOwnReport).toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  const newest = new Map(reports.map(({ name, id }) => [name, id]));
  return await Promise.all(
    [...newest.values()].map(async (id) => {
      const archive = await get(`repos/${repository}/actions/artifacts/${id}/zip`);
      return JSON.parse(unzip(Buffer.from(await archive.arrayBuffer()), 'report.json'));
    }),
  );
}

/** A cell of a table. An apostrophe keeps a spreadsheet, which may split at `;`, from running a text as a formula. */
function cell(value) {
  if (typeof value === 'number') return value;
  const text = `${value ?? ''}`.replaceAll(/\s+/g, ' ').replaceAll('"', '""');
  return `"${text.replaceAll(/(?<=(?:^|;)[ "',;|]*)(?=[=+\-@])/g, "'")}"`;
}

/** @returns the rows of a repository: one for each gate, or one with a problem */
async function rowsOf(repository) {
  try {
    const reports = await reportsOf(repository);
    if (reports.length === 0) throw new Error('no report');
    return reports.map((report) => [repository, ...Object.values(COLUMNS).map((column) => column(report)), '']);
  } catch ({ message }) {
    console.error(`${repository}: ${message}`);
    process.exitCode = 1;
    return [[repository, ...Object.values(COLUMNS).map(() => ''), message]];
  }
}

const rows = [];
for (const repository of process.argv.slice(2)) rows.push(...(await rowsOf(repository)));
const names = ['repository', ...Object.keys(COLUMNS), 'problem'];
const sums = names.map((_, index) => {
  const values = rows.map((row) => row[index]).filter((value) => value !== '');
  const isNumeric = values.length > 0 && values.every((value) => typeof value === 'number');
  return isNumeric ? values.reduce((sum, value) => sum + value, 0) : '';
});
for (const row of [names, ...rows, ['all', ...sums.slice(1)]]) console.log(row.map(cell).join(','));

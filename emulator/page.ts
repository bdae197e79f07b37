import type { HttpResponse, RecordedRequest } from './http.ts';
import { readyScenarios } from './scenario.ts';
import type { Workspace } from './workspace.ts';

export interface PageFacts {
  readonly baseUrl: string;
  readonly storageUrl: string;
  readonly workspaces: readonly Workspace[];
  readonly unauthenticated: readonly RecordedRequest[];
}

/** The page at `/`: what a person needs to use the emulator, and what it has seen so far. */
export function overviewPage({ baseUrl, storageUrl, workspaces, unauthenticated }: PageFacts): HttpResponse {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Compliance service emulator</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
</style>
</head>
<body>
<h1>Compliance service emulator</h1>
${table(
  ['', ''],
  [
    ['base-url', code(baseUrl)],
    ['storage', code(storageUrl)],
    ...workspaces.map(({ mode, key }) => [`${mode} key`, code(key)]),
  ],
)}
<p>Reload the page to see new requests. Ready scenarios: ${readyScenarios().map(code).join(', ')}.
${code('emulator/README.md')} says where it differs from a real service.</p>
${workspaces.map(workspaceSection).join('\n')}
<h2>Requests without a valid key</h2>
${requestTable(unauthenticated)}
</body>
</html>
`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function workspaceSection(workspace: Workspace): string {
  const submissions = workspace.submissions.flatMap(({ submissionId, createdAt, assets }) =>
    assets.map(({ filename, status, versionNumber, issueCount }) => [
      code(submissionId),
      code(createdAt),
      code(filename),
      String(versionNumber),
      status,
      issueCount === null ? '' : String(issueCount),
    ]),
  );
  return `<h2>Workspace of the ${workspace.mode} key</h2>
<details><summary>Its scenario</summary><pre>${escape(JSON.stringify(workspace.scenario, null, 2))}</pre></details>
<h3>Submissions</h3>
${table(['submission', 'created', 'asset', 'version', 'status', 'issues'], submissions)}
<h3>Requests</h3>
${requestTable(workspace.requests)}`;
}

function requestTable(requests: readonly RecordedRequest[]): string {
  const rows = requests.map(({ at, endedAt, server, method, path, status, aborted }) => [
    code(new Date(at).toISOString()),
    server,
    code(`${method} ${path}`),
    String(status ?? (aborted ? 'aborted' : 'no response')),
    endedAt === undefined ? '' : `${endedAt - at} ms`,
  ]);
  return table(['time', 'server', 'request', 'status', 'took'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None so far.</p>';
  return `<table>${tableRow('th', head)}\n${rows.map((row) => tableRow('td', row)).join('\n')}</table>`;
}

function tableRow(tag: 'th' | 'td', cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
}

function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}

/** File names and paths come from clients: on the page they are only text. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

import * as v from 'valibot';
import { type HttpResponse, json, refusal, validated } from './http.ts';
import { decoded, type Route } from './server.ts';
import type { Workspace } from './workspace.ts';

const PREFIX = '/emulator/';
const IssueChange = v.strictObject({ status: v.string() });

/**
 * What a test changes while the emulator runs, in the workspace of its key: the scenario, the status of issues, and which
 * submissions exist. Returns `undefined` for a path that belongs to the service.
 */
export function routeControl(method: string, url: URL, workspace: Workspace | undefined): Route | undefined {
  if (!url.pathname.startsWith(PREFIX)) return undefined;
  const [resource, id = ''] = url.pathname.slice(PREFIX.length).split('/').map(decoded);
  return {
    server: 'service',
    endpoint: 'unknown',
    bucket: '',
    // These requests are neither recorded nor hit by faults: the service does not have them.
    workspace: undefined,
    body: 'json',
    work: (body) => {
      if (workspace === undefined) throw refusal(401, 'The X-API-Key header must name a workspace of the emulator.');
      if (body.problem !== undefined) throw body.problem;
      return change(workspace, `${method} ${resource}`, id, body.json);
    },
  };
}

function change(workspace: Workspace, what: string, id: string, body: unknown): HttpResponse {
  switch (what) {
    case 'PUT scenario':
      orRefuse(422, () => workspace.load(Object(body)));
      return json(200, {});
    case 'PATCH issues': {
      const { status } = validated(IssueChange, body);
      orRefuse(404, () => workspace.changeIssues({ ruleCode: id, id }, { status }));
      return json(200, {});
    }
    case 'DELETE submissions':
      workspace.forget(workspace.existingSubmission(id).submissionId);
      return json(200, {});
    default:
      throw refusal(404, 'Use PUT scenario, PATCH issues/{rule or id}, or DELETE submissions/{id}.');
  }
}

function orRefuse(status: number, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw refusal(status, error instanceof Error ? error.message : String(error));
  }
}

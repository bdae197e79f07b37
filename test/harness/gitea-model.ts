import { type Call, type ModelResponse, NOT_FOUND, ok, respondAsGitHub } from './github-model.ts';

export const GITEA = { api: '/api/v1', login: 'gitea-actions' };
/** Paths that Gitea does not have, and its own names for the statuses of files. Outside its API it sends text. */
const GITEA_LACKS = /\/commits\/\w+\/pulls$/;
const GITEA_NOT_FOUND = { status: 404, body: 'Not found.\n', headers: { 'content-type': 'text/plain;charset=utf-8' } };
const GITEA_STATUSES: Readonly<Record<string, string>> = { removed: 'deleted', modified: 'changed' };

export function respondAsGitea(call: Call): ModelResponse {
  const { request, model } = call;
  if (request.path.endsWith('/graphql')) return GITEA_NOT_FOUND;
  if (GITEA_LACKS.test(request.path)) return NOT_FOUND;
  if (request.path === '/user') return ok({ id: -2, login: GITEA.login });
  const asGitea = { ...model, login: GITEA.login, artifactOrder: 'oldest first' } as const;
  const response = respondAsGitHub({ ...call, model: asGitea });
  const isArtifacts = request.path.endsWith('/actions/artifacts');
  return { ...response, body: giteaBody(response.body), ...(isArtifacts && { headers: {} }) };
}

function giteaBody(body: unknown): unknown {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'head_repository_id' || key === 'head_branch') return undefined;
    if (key === 'status') return GITEA_STATUSES[value] ?? value;
    return key === 'label' ? value.replace(/^.*:/, '') : value;
  });
}

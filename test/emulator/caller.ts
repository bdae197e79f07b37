import type { Emulator, Scenario, Workspace, WorkspaceOptions } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

/** The fields that tests read, each in the responses that have it. */
interface Json extends Readonly<Record<'submissionId' | 'blobPath' | 'uploadUrl' | 'expiresAt' | 'status', string>> {
  readonly assets: readonly { readonly assetId: string }[];
  readonly issues: readonly { readonly id: string; readonly status: string }[];
  readonly versions: readonly { readonly submissionId: string }[];
}

export type Caller = ReturnType<typeof callerOf>;

/** A plain HTTP client, without any code of src/. */
export function callerOf({ baseUrl }: Pick<Emulator, 'baseUrl'>, key?: string) {
  const send = async (method: string, path: string, body: string | FormData | null = null, headers = {}) => {
    const all = { ...(key !== undefined && { 'x-api-key': key }), ...headers };
    const response = await fetch(`${baseUrl}/api/integrations${path}`, { method, body, headers: all });
    const text = await response.text();
    const json: Json = JSON.parse(text.startsWith('{') ? text : '{}');
    return { status: response.status, headers: response.headers, json };
  };
  const post = async (path: string, body?: object) =>
    body
      ? await send('POST', path, JSON.stringify(body), { 'content-type': 'application/json' })
      : await send('POST', path);
  const direct = async (filename: string, bytes: Uint8Array, type: string) => {
    const form = new FormData();
    form.append('file', new File([Buffer.from(bytes)], filename, { type }));
    return await send('POST', '/uploads/direct', form);
  };
  /** Uploads directly. Returns the blob path. */
  const upload = async (filename: string, bytes: Uint8Array = png('a'), type = 'image/png') =>
    (await direct(filename, bytes, type)).json.blobPath;
  /** Uploads a PNG under each name and creates one submission of them all. */
  const submit = async (...filenames: readonly string[]) => {
    const assets = [];
    for (const filename of filenames) assets.push({ blobPath: await upload(filename) });
    const { json } = await post('/submissions', { assets });
    return { submissionId: json.submissionId, assetIds: json.assets.map(({ assetId }) => assetId) };
  };
  return { send, get: async (path: string) => await send('GET', path), post, direct, upload, submit };
}

export const it = base
  .extend('setUp', ({ emulator }) => (options?: WorkspaceOptions): { workspace: Workspace; caller: Caller } => {
    const workspace = emulator.workspace(options);
    return { workspace, caller: callerOf(emulator, workspace.key) };
  })
  /** One submission of images, and a function that reads a path below it. */
  .extend('submitted', ({ setUp }) => async (scenario: Scenario = {}) => {
    const { workspace, caller } = setUp({ scenario });
    const { submissionId, assetIds } = await caller.submit('a.png');
    const submission = `/submissions/${submissionId}`;
    const read = async (path = '') => (await caller.get(submission + path)).json;
    return { workspace, caller, submissionId, assetId: assetIds[0], submission, asset: `/assets/${assetIds[0]}`, read };
  });

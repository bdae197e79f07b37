import assert from 'node:assert/strict';
import type { Emulator, Scenario, Workspace, WorkspaceOptions } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

type Json = Readonly<Record<string, unknown>>;

/** A plain HTTP client, without any code of src/. */
export class ServiceRequester {
  readonly #base: string;
  readonly #access: Readonly<Record<string, string>>;

  constructor(emulator: Pick<Emulator, 'baseUrl'>, workspace?: Pick<Workspace, 'key'>) {
    this.#base = `${emulator.baseUrl}/api/integrations`;
    this.#access = workspace ? { 'x-api-key': workspace.key } : {};
  }

  async get(path: string) {
    return this.send('GET', path);
  }

  async post(path: string, body?: unknown) {
    if (body === undefined) return this.send('POST', path);
    return this.send('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  async send(
    method: string,
    path: string,
    body: string | FormData | null = null,
    added: Readonly<Record<string, string>> = {},
  ) {
    const response = await fetch(this.#base + path, { method, body, headers: { ...this.#access, ...added } });
    const received = await response.text();
    const json: Json = received.startsWith('{') ? JSON.parse(received) : {};
    return { status: response.status, headers: response.headers, json };
  }

  async direct(filename: string, bytes: Uint8Array, type: string) {
    const form = new FormData();
    form.append('file', new File([Buffer.from(bytes)], filename, { type }));
    return this.send('POST', '/uploads/direct', form);
  }

  /** Uploads directly, by default a PNG. Returns the blob path. */
  async upload(filename: string, bytes: Uint8Array = png('a'), type = 'image/png'): Promise<string> {
    return text((await this.direct(filename, bytes, type)).json['blobPath']);
  }

  /** Uploads a PNG under each name and creates one submission of them all. */
  async submit(...filenames: readonly string[]): Promise<{ submissionId: string; assetIds: readonly string[] }> {
    const assets = [];
    for (const filename of filenames) assets.push({ blobPath: await this.upload(filename) });
    const { json } = await this.post('/submissions', { assets });
    return {
      submissionId: text(json['submissionId']),
      assetIds: list(json['assets']).map((it) => text(it['assetId'])),
    };
  }
}

export const it = base
  .extend('setUp', ({ emulator }) => (options?: WorkspaceOptions) => {
    const workspace = emulator.workspace(options);
    return { workspace, caller: new ServiceRequester(emulator, workspace) };
  })
  /** One submission of images, and a function that reads a path below it. */
  .extend('submitted', ({ setUp }) => async (scenario: Scenario, ...names: readonly string[]) => {
    const { workspace, caller } = setUp({ scenario });
    const { submissionId, assetIds } = await caller.submit(...(names.length > 0 ? names : ['a.png']));
    const submission = `/submissions/${submissionId}`;
    const read = async (path = '') => (await caller.get(submission + path)).json;
    return {
      workspace,
      caller,
      submissionId,
      assetIds,
      submission,
      assets: assetIds.map((id) => `/assets/${id}`),
      read,
    };
  });

export function list(value: unknown): readonly Json[] {
  assert.ok(Array.isArray(value), `This is no list: ${JSON.stringify(value)}`);
  return value;
}

export function text(value: unknown): string {
  assert.ok(typeof value === 'string', `This is no text: ${JSON.stringify(value)}`);
  return value;
}

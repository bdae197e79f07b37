import type { Emulator, Workspace, WorkspaceOptions } from '../../emulator/emulator.ts';
import { it as base } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body if it is a JSON object, else empty. */
  readonly json: Json;
}

/** A plain HTTP client, without any code of src/. */
export class ServiceRequester {
  readonly #base: string;
  readonly #key: string | undefined;

  constructor(emulator: Emulator, workspace: Pick<Workspace, 'key'> | undefined) {
    this.#base = `${emulator.baseUrl}/api/integrations`;
    this.#key = workspace?.key;
  }

  async get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  async post(path: string, body?: unknown): Promise<Reply> {
    if (body === undefined) return this.send('POST', path);
    return this.send('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  async send(
    method: string,
    path: string,
    body?: string | FormData,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const key = this.#key === undefined ? {} : { 'x-api-key': this.#key };
    const init = { method, headers: { ...key, ...headers }, redirect: 'manual' as const };
    const response = await fetch(this.#base + path, body === undefined ? init : { ...init, body });
    const received = await response.text();
    return { status: response.status, headers: response.headers, text: received, json: parsed(received) };
  }

  async direct(filename: string, bytes: Uint8Array, type: string): Promise<Reply> {
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
    const { status, json, text: body } = await this.post('/submissions', { assets });
    if (status !== 201) throw new Error(`Not created: ${body}`);
    return {
      submissionId: text(json['submissionId']),
      assetIds: list(json['assets']).map((it) => text(it['assetId'])),
    };
  }
}

export const it = base.extend('setUp', ({ emulator }) => (options?: WorkspaceOptions) => {
  const workspace = emulator.workspace(options);
  return { workspace, caller: new ServiceRequester(emulator, workspace) };
});

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the value if it is a list of objects, else throws. */
export function list(value: unknown): readonly Json[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new Error(`This is no list: ${JSON.stringify(value)}`);
  return value;
}

/** Returns the value if it is text, else throws. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`This is no text: ${JSON.stringify(value)}`);
  return value;
}

import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { BlobStorage } from '../../emulator/emulator.ts';
import { detect } from '../../emulator/media-types.ts';
import { listen } from '../../emulator/server.ts';

export interface AzureStorage extends BlobStorage {
  /** Every request through the proxy, with the status of Azurite's response. */
  readonly requests: readonly {
    readonly method: string;
    readonly headers: IncomingHttpHeaders;
    readonly status: number;
  }[];
}

/** Every local Azurite has this account and this public key. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const CONTAINER = `${ACCOUNT}/uploads`;

/** Starts Azurite behind a proxy that records the requests. */
export async function startAzureStorage(): Promise<AzureStorage> {
  const azurite = await startAzurite();
  const requests: AzureStorage['requests'][number][] = [];
  const door = createServer((incoming, response) => {
    const { method = '', headers } = incoming;
    const onward = request(`${azurite.url}${incoming.url}`, { method, headers }, (stored) => {
      requests.push({ method, headers, status: stored.statusCode ?? 0 });
      response.writeHead(stored.statusCode ?? 502, stored.headers);
      stored.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const { url, close } = await listen(door);
  const inAnHour = new Date(Date.now() + 3_600_000);
  await fetch(`${azurite.url}/${CONTAINER}?restype=container&${sign('c', inAnHour)}`, { method: 'PUT' });

  return {
    url,
    requests,
    signUploadUrl: (blobPath, expiresAt) =>
      `${url}/${CONTAINER}/${blobPath.split('/').map(encodeURIComponent).join('/')}?${sign('cw', expiresAt)}`,
    lookUp: async (blobPath) => {
      const response = await fetch(`${azurite.url}/${CONTAINER}/${encodeURI(blobPath)}?${sign('r', inAnHour)}`);
      if (!response.ok) return undefined;
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        detected: await detect(bytes),
      };
    },
    close: async () => {
      await close();
      await azurite.stop();
    },
  };
}

/** The query of a signed URL: a shared access signature of the account, as Microsoft's docs describe it. */
function sign(permissions: string, expiresAt: Date): string {
  const [version, expiry] = ['2019-12-12', expiresAt.toISOString().replace(/\.\d+/, '')];
  const fields = [ACCOUNT, permissions, 'b', 'co', '', expiry, '', '', version, ''];
  const sig = createHmac('sha256', Buffer.from(KEY, 'base64')).update(fields.join('\n')).digest('base64');
  return new URLSearchParams({ sv: version, ss: 'b', srt: 'co', sp: permissions, se: expiry, sig }).toString();
}

async function startAzurite(): Promise<{ url: string; stop(): Promise<void> }> {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const options = ['--inMemoryPersistence', '--blobPort', '0', '--disableTelemetry', '--skipApiVersionCheck'];
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /listens on (http:\/\/[\d.]+:\d+)/.exec(line) ?? [];
    if (url === undefined) continue;
    const stop = async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    };
    return { url, stop };
  }
  throw new Error('Azurite did not start.');
}

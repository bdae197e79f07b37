import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { BlobStorage } from '../../emulator/emulator.ts';
import { detect } from '../../emulator/media-types.ts';
import { listen } from '../../emulator/server.ts';

/** What is used of Azure's client. */
interface Azure {
  readonly StorageSharedKeyCredential: new (account: string, key: string) => object;
  readonly BlobServiceClient: new (
    url: string,
    credential: object,
  ) => {
    getContainerClient(name: string): {
      create(): Promise<unknown>;
      getBlockBlobClient(name: string): {
        exists(): Promise<boolean>;
        getProperties(): Promise<{ readonly lastModified?: Date }>;
        downloadToBuffer(): Promise<Buffer>;
      };
    };
  };
  generateBlobSASQueryParameters(values: object, credential: object): { toString(): string };
  readonly BlobSASPermissions: { parse(permissions: string): object };
  readonly SASProtocol: { readonly HttpsAndHttp: string };
}

export interface AzureStorage extends BlobStorage {
  /** Every request that arrived, before the store saw it. */
  readonly requests: readonly {
    readonly method: string;
    readonly headers: IncomingHttpHeaders;
    readonly status: number;
  }[];
}

/** Of this folder's own package.json. As a text, because its types are unknown where it is not installed. */
const AZURE: string = '@azure/storage-blob';
/** Everybody's key for the store on their own machine. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const CONTAINER = 'uploads';

/** Azurite, with a door before it that writes down what comes in. */
export async function startAzureStorage(): Promise<AzureStorage> {
  const azure: Azure = await import(AZURE);
  const azurite = await startAzurite();
  const requests: AzureStorage['requests'][number][] = [];
  const door = createServer((incoming, response) => {
    const { method = '', headers } = incoming;
    const onward = request({ ...azurite, path: incoming.url ?? '/', method, headers }, (answer) => {
      requests.push({ method, headers, status: answer.statusCode ?? 0 });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const { url, close } = await listen(door);
  const credential = new azure.StorageSharedKeyCredential(ACCOUNT, KEY);
  const direct = `http://${azurite.hostname}:${azurite.port}/${ACCOUNT}`;
  const container = new azure.BlobServiceClient(direct, credential).getContainerClient(CONTAINER);
  await container.create();

  return {
    url,
    requests,
    signUploadUrl: (blobPath, expiresAt) => {
      const values = {
        containerName: CONTAINER,
        blobName: blobPath,
        permissions: azure.BlobSASPermissions.parse('cw'),
        startsOn: new Date(Date.now() - 60_000),
        expiresOn: expiresAt,
        protocol: azure.SASProtocol.HttpsAndHttp,
      };
      const signature = azure.generateBlobSASQueryParameters(values, credential).toString();
      return `${url}/${ACCOUNT}/${CONTAINER}/${blobPath.split('/').map(encodeURIComponent).join('/')}?${signature}`;
    },
    lookUp: async (blobPath) => {
      const blob = container.getBlockBlobClient(blobPath);
      if (!(await blob.exists())) return undefined;
      const { lastModified } = await blob.getProperties();
      const bytes = await blob.downloadToBuffer();
      return {
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        detected: await detect(bytes),
        storedAt: lastModified?.getTime() ?? 0,
      };
    },
    close: async () => {
      await close();
      await azurite.stop();
    },
  };
}

async function startAzurite(): Promise<{ hostname: string; port: string; stop(): Promise<void> }> {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const options = [
    '--inMemoryPersistence',
    '--blobHost',
    '127.0.0.1',
    '--blobPort',
    '0',
    '--disableTelemetry',
    '--skipApiVersionCheck',
  ];
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(child.stdout)) {
    const [, hostname, port] = /listens on http:\/\/([\d.]+):(\d+)/.exec(line) ?? [];
    if (hostname === undefined || port === undefined) continue;
    return {
      hostname,
      port,
      stop: async () => {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('Azurite did not start.');
}

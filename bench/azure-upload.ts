/**
 * Uploads files with the SDK of the storage, four at a time, as a script of a user's would.
 *
 *   node bench/azure-upload.ts <address> <file>...
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { concurrently } from '../src/lib/concurrently.ts';

interface StorageSdk {
  readonly BlockBlobClient: new (url: string) => { uploadFile(file: string): Promise<unknown> };
}

// It lives with the integration tests, in a folder of its own: it is no dependency of the action.
const load = createRequire(new URL('../test/integration/package.json', import.meta.url));
const { BlockBlobClient }: StorageSdk = load('@azure/storage-blob');
const [, , address = '', ...files] = process.argv;
await concurrently(files, 4, async (file) => {
  await new BlockBlobClient(`${address}/container/${path.basename(file)}?sig=x`).uploadFile(file);
});

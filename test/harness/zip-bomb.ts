import { zipSync } from 'fflate';

/** A small archive of entries called `state.json`, which share the compressed bytes of one entry. */
export function sharedEntries(count: number, bytes: Uint8Array): Uint8Array {
  const archive = Buffer.from(zipSync({ 'state.json': bytes }));
  const directory = archive.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const entry = archive.subarray(directory, end);
  const entries = Array.from({ length: count }, () => entry);
  const footer = Buffer.from(archive.subarray(end));
  for (const at of [8, 10]) footer.writeUInt16LE(count, at);
  footer.writeUInt32LE(entry.length * count, 12);
  return Buffer.concat([archive.subarray(0, directory), ...entries, footer]);
}

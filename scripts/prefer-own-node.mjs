// After `npm ci` on a machine that has a new enough Node: removes the packaged Node from node_modules/.bin, so that npm's
// scripts run with the Node of the machine. Plain JavaScript, because the Node that runs it may be an old one.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MIN_NODE = 24;
const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const isPackaged = process.execPath.split(path.sep).includes('node_modules');

if (!isPackaged && Number(process.versions.node.split('.')[0]) >= MIN_NODE) {
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(path.join(bin, name), { force: true });
  console.log(`npm's scripts run with Node ${process.versions.node}.`);
} else console.log(`npm's scripts run with the packaged Node.`);

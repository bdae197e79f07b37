// Loaded before the action (`node --import`). Below the folder or file BROKEN_PATH, a disk fails with BROKEN_CODE, such
// as ENOSPC: what is there can be read, but nothing can be written except short texts. With EACCES and EMFILE, nothing
// can be opened either, and with EACCES nothing listed. The first BROKEN_AFTER calls succeed.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { BROKEN_PATH: place = '', BROKEN_CODE: code = '', BROKEN_AFTER: after } = process.env;
const WRITES = ['writeFile', 'mkdir', 'mkdtemp', 'copyFile', 'rename'];
const READS = ['readFile', 'readdir'];
/** A full disk still takes a text of this length, so a trial with less than a whole state proves nothing. */
const SHORT = 300;
/** How many calls still succeed, so that a test can break the disk at any step of a run. */
let left = Number(after ?? 0);

function breakCall(module, name, isBroken = () => true) {
  const call = module[name];
  module[name] = (...parameters) => {
    const target = String(parameters[name === 'copyFile' || name === 'rename' ? 1 : 0]);
    if (target.startsWith(place) && isBroken(parameters)) {
      left -= 1;
      if (left < 0) {
        const error = Object.assign(new Error(`${code}: the disk of this test fails, ${name} '${target}'`), {
          code,
          syscall: name.startsWith('readdir') ? 'scandir' : name,
          path: target,
        });
        if (module === fs) throw error;
        return Promise.reject(error);
      }
    }
    return call(...parameters);
  };
}

for (const name of WRITES) breakCall(promises, name, ([, text]) => name !== 'writeFile' || text.length > SHORT);
breakCall(fs, 'mkdirSync');
if (code === 'EACCES') {
  for (const name of READS) breakCall(promises, name);
  breakCall(fs, 'readdirSync');
}
breakCall(promises, 'open', ([, flags = 'r']) => ['EACCES', 'EMFILE'].includes(code) || flags === 'r+');
syncBuiltinESMExports();

// Loaded before the action (`node --import`): while the file NO_NAMES_WHILE exists, no host name can be looked up.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const dns = createRequire(import.meta.url)('node:dns');
const { lookup } = dns;

dns.lookup = (hostname, ...rest) => {
  if (!existsSync(process.env.NO_NAMES_WHILE)) return lookup(hostname, ...rest);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  });
  return process.nextTick(rest.at(-1), error);
};

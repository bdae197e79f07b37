// Loaded before the action (`node --import`): every host name below `.test` is this machine.
import { createRequire } from 'node:module';

const dns = createRequire(import.meta.url)('node:dns');
const { lookup } = dns;

dns.lookup = (hostname, ...rest) => lookup(hostname.endsWith('.test') ? '127.0.0.1' : hostname, ...rest);

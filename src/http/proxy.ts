import { type Cause, forOwner } from '../causes/cause.ts';

/**
 * Rewrites the proxy variables, because three clients read them by different rules: the one of this gate, the one of
 * GitHub's API and the one that stores artifacts. `HTTPS_PROXY` gets its scheme. `HTTP_PROXY` and `ALL_PROXY`, which
 * some clients use for https, are removed. A lower-case name wins, as in curl. A blank variable counts as unset.
 *
 * @returns the problem with the proxy's address, if it cannot be used
 */
export function unifyProxies(env: NodeJS.ProcessEnv): readonly Cause[] {
  const read = (name: string): string => env[name.toLowerCase()]?.trim() || env[name]?.trim() || '';
  const address = read('HTTPS_PROXY');
  const exceptions = read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  for (const each of ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']) {
    delete env[each];
    delete env[each.toLowerCase()];
  }
  if (address === '') return [];
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    // The message does not show the address, which may contain a password.
    const fix = 'Set it to an address such as `http://proxy.example:3128`, or unset it if there is no proxy.';
    const message = 'The environment variable `HTTPS_PROXY` (or `https_proxy`) is not the address of an HTTP proxy.';
    return [forOwner('bad-input', message, fix)];
  }
  if (exceptions.includes('*')) return [];
  env['HTTPS_PROXY'] = url.href;
  env['NO_PROXY'] = exceptions.flatMap(expand).join(',');
  return [];
}

/**
 * An entry of `NO_PROXY` is for a host and its subdomains. The client that stores artifacts expects `.host` without a
 * port, the other two clients expect `host`.
 */
function expand(exception: string): readonly string[] {
  const host = exception.replace(/^\*?\./, '');
  return [host, `.${host.replace(/:\d+$/, '')}`];
}

/** Plain http is allowed only if the host is this machine, because then the data never leave the machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

import { GateError, workflowOwner } from '../lib/cause.ts';

/** The proxy of each protocol; empty if there is none. */
export interface ProxySettings {
  readonly http: string;
  readonly https: string;
  /** Hosts that are reached without a proxy, as `NO_PROXY` lists them. */
  readonly except: string;
}

/**
 * Reads the variables that curl and the runner read: lower case first, one for each protocol. An empty one counts
 * as not set, so that a workflow can pass on a variable that may be empty.
 */
export function proxySettings(env: NodeJS.ProcessEnv): ProxySettings {
  return {
    http: addressIn(env, ['http_proxy', 'HTTP_PROXY']),
    https: addressIn(env, ['https_proxy', 'HTTPS_PROXY']),
    except: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

function addressIn(env: NodeJS.ProcessEnv, names: readonly string[]): string {
  const name = names.find((each) => env[each]?.trim());
  if (name === undefined) return '';
  const value = env[name]?.trim() ?? '';
  // As curl does: a bare `proxy.example:3128` is a plain HTTP proxy.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href;
  // The value may hold a password, so it is not shown.
  throw new GateError({
    reason: 'bad-input',
    message: `The environment variable ${name} is not the address of an HTTP proxy.`,
    steps: [
      workflowOwner(
        `Set ${name} to an address such as \`http://proxy.example:3128\`, or unset it if there is no proxy.`,
      ),
    ],
  });
}

import { GateError, workflowOwner } from '../lib/cause.ts';

/** The proxy for https addresses. Plain http is allowed for this machine only and uses no proxy. */
export interface ProxySettings {
  /** The address of the proxy. Empty if requests use no proxy. */
  readonly proxy: string;
  /** Hosts that are reached without the proxy, in the format of `NO_PROXY`. */
  readonly except: string;
}

/**
 * Reads the same variables as curl and the runner, lower case first. An empty variable counts as not set, so that a
 * workflow can pass on a variable that may be empty.
 */
export function proxySettings(env: NodeJS.ProcessEnv): ProxySettings {
  return { proxy: proxyIn(env), except: env['no_proxy'] || env['NO_PROXY'] || '' };
}

function proxyIn(env: NodeJS.ProcessEnv): string {
  const name = ['https_proxy', 'HTTPS_PROXY'].find((each) => env[each]?.trim());
  if (name === undefined) return '';
  const value = env[name]?.trim() ?? '';
  // An address without a scheme (`proxy.example:3128`) is a plain HTTP proxy, as in curl.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href;
  // The message does not show the value, which may contain a password.
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

import { GateError, workflowOwner } from '../lib/cause.ts';

/** How https addresses are reached. Plain http is for this machine only and uses no proxy. */
export interface ProxySettings {
  /** Empty if there is none. */
  readonly proxy: string;
  /** Hosts that are reached without it, as `NO_PROXY` lists them. */
  readonly except: string;
}

/**
 * Reads the variables that curl and the runner read, lower case first. An empty one counts as not set, so that a workflow
 * can pass on a variable that may be empty.
 */
export function proxySettings(env: NodeJS.ProcessEnv): ProxySettings {
  return { proxy: proxyIn(env), except: env['no_proxy'] || env['NO_PROXY'] || '' };
}

function proxyIn(env: NodeJS.ProcessEnv): string {
  const name = ['https_proxy', 'HTTPS_PROXY'].find((each) => env[each]?.trim());
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

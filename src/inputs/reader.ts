import { type Cause, forOwner } from '../causes/cause.ts';
import { truncate } from '../lib/format.ts';
import { DEFAULT_PATTERNS } from '../media/media-types.ts';

/** The same defaults as in action.yml. */
export const DEFAULTS = {
  'api-key': '',
  'base-url': '',
  files: `${DEFAULT_PATTERNS.join('\n')}\n`,
  'state-key': '',
  'fail-on-severity': 'CRITICAL',
  'fail-on-issues': 'all',
  comment: 'never',
  'only-changed': 'false',
  'waivers-file': '',
  contact: '',
  'issue-url': '',
  'working-directory': '',
  'if-no-files-found': 'warn',
  'if-no-api-key': 'error',
  'on-service-error': 'error',
  'dry-run': 'false',
  'max-files': '500',
  name: 'media-compliance',
  'reuse-days': '90',
  'ignore-statuses': 'RESOLVED, DISMISSED',
  'sidekick-ids': '',
  metadata: '',
  'wait-timeout-minutes': '30',
  'report-artifact': 'true',
  'state-file': '',
  'github-token': '',
  'simulation-delay-seconds': '',
  'sandbox-event': '',
  'sandbox-error-message': '',
  matrix: '',
} as const satisfies Record<string, string>;

export type InputName = keyof typeof DEFAULTS;

/** Inputs whose value must never be shown. */
export const SECRET_INPUTS = ['api-key', 'state-key', 'github-token'] as const satisfies readonly InputName[];

export class InputReader {
  readonly problems: Cause[] = [];
  readonly rejected = new Set<InputName>();
  readonly #valueOf: (name: InputName) => string;

  constructor(valueOf: (name: InputName) => string) {
    this.#valueOf = valueOf;
  }

  /** An empty value means the default, so that an unset repository variable can be passed on. */
  text(name: InputName): string {
    return this.#valueOf(name).trim() || DEFAULTS[name];
  }

  /** @param got the value of the input in quotes, or a description if the value is a secret */
  reject(name: InputName, got: string, takes: string): void {
    this.rejected.add(name);
    const message = `Input \`${name}\` is ${got}.`;
    const fix = `\`${name}\` takes ${takes}. Correct it in the workflow, commit and push.`;
    this.problems.push(forOwner('bad-input', message, fix));
  }

  /** Ignores upper and lower case. Returns the default if the value is not in the list. */
  oneOf<const T extends readonly [string, ...string[]]>(name: InputName, values: T): T[number] {
    const value = this.text(name);
    const match = values.find((each) => each.toLowerCase() === value.toLowerCase());
    if (match !== undefined) return match;
    this.reject(name, quoted(value), formatChoices(values));
    return values.find((each) => each === DEFAULTS[name]) ?? values[0];
  }

  flag(name: InputName): boolean {
    return this.oneOf(name, ['true', 'false']) === 'true';
  }

  integer(name: InputName, min: number, max: number): number {
    const value = this.text(name);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
    return Number(DEFAULTS[name]);
  }

  optional<T>(name: InputName, parse: (value: string) => T): T | undefined {
    const value = this.text(name);
    return value === '' ? undefined : parse(value);
  }
}

export function quoted(value: string): string {
  return JSON.stringify(truncate(value, 100));
}

export function formatChoices(values: readonly string[], word = 'or'): string {
  const names = values.map((value) => `\`${value}\``);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

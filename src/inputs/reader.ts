import { type Cause, forOwner } from '../causes/cause.ts';
import { truncate } from '../lib/format.ts';

/** Inputs whose value must never be shown. */
export const SECRET_INPUTS: readonly string[] = ['api-key', 'state-key', 'github-token'];

/** Reads inputs by name. A rejected input has its default. A rejected list keeps its values, which no run uses. */
export class InputReader {
  readonly problems: Cause[] = [];
  readonly rejected = new Set<string>();
  readonly #valueOf: (name: string) => string;

  constructor(valueOf: (name: string) => string) {
    this.#valueOf = valueOf;
  }

  /** An empty value means the default, so that an unset repository variable can be passed on. */
  text(name: string, otherwise = ''): string {
    return this.#valueOf(name).trim() || otherwise;
  }

  /**
   * @param got the value of the input in quotes, or a description of it
   * @param takes what the input allows
   */
  reject(name: string, got: string, takes: string): void {
    this.rejected.add(name);
    const message = `Input \`${name}\` is ${got}.`;
    const correct = SECRET_INPUTS.includes(name)
      ? 'Correct the secret, and re-run this job.'
      : 'Correct it in the workflow, commit and push.';
    const fix = `\`${name}\` takes ${takes}. ${correct}`;
    this.problems.push(forOwner('bad-input', message, fix));
  }

  /** An optional text that `isAllowed` checks. Undefined if it is not set or is rejected. */
  optional(name: string, isAllowed: (value: string) => boolean, takes: string): string | undefined {
    const value = this.text(name);
    if (value === '' || isAllowed(value)) return value || undefined;
    const isSecret = SECRET_INPUTS.includes(name);
    this.reject(name, isSecret ? `${value.length} characters long (not shown)` : quoted(value), takes);
    return undefined;
  }

  /** Ignores upper and lower case. The first value is the default. */
  oneOf<const T extends readonly [string, ...string[]]>(name: string, values: T): T[number] {
    const value = this.text(name, values[0]);
    const match = values.find((each) => each.toLowerCase() === value.toLowerCase());
    if (match === undefined) this.reject(name, quoted(value), formatChoices(values));
    return match ?? values[0];
  }

  flag(name: string, otherwise: 'true' | 'false' = 'false'): boolean {
    return this.oneOf(name, [otherwise, otherwise === 'true' ? 'false' : 'true']) === 'true';
  }

  integer<T>(name: string, otherwise: T, min: number, max: number): number | T {
    const value = this.text(name);
    if (value === '') return otherwise;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
    return otherwise;
  }

  /** A list separated by commas or newlines, in upper case and without duplicates. */
  list(name: string, otherwise: string, isAllowed: (item: string) => boolean, takes: string): readonly string[] {
    const items = this.text(name, otherwise).split(/[,\n]/);
    const values = [...new Set(items.map((item) => item.trim().toUpperCase()))].filter(Boolean);
    const wrong = values.filter((item) => !isAllowed(item));
    if (wrong.length > 0) this.reject(name, quoted(wrong.join(', ')), takes);
    return values;
  }
}

/** The value of an input, as a message shows it. The API key may be in the wrong input. */
export function quoted(value: string): string {
  return /sk_(?:live|test)_/.test(value) ? 'an API key (not shown)' : JSON.stringify(truncate(value, 100));
}

export function formatChoices(values: readonly string[], word = 'or'): string {
  const names = values.map((value) => `\`${value}\``);
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

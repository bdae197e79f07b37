import { type Cause, workflowOwner } from '../lib/cause.ts';
import { truncate } from '../lib/format.ts';
import { DEFAULTS, type InputName } from './inputs.ts';

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
    this.problems.push({
      reason: 'bad-input',
      message: `Input \`${name}\` is ${got}${got.endsWith('?') ? '' : '.'}`,
      steps: [workflowOwner(`\`${name}\` takes ${takes}. Correct it in the workflow, commit and push.`)],
    });
  }

  /** Ignores upper and lower case. Returns the default if the value is not in the list. */
  oneOf<const T extends readonly [string, ...string[]]>(name: InputName, values: T): T[number] {
    const value = this.text(name);
    const match = values.find((each) => each.toLowerCase() === value.toLowerCase());
    if (match !== undefined) return match;
    this.reject(name, quoted(value) + suggestion([value], values), formatChoices(values));
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

/** ": did you mean MAJOR?" names the allowed values that are at most two edits away. Empty if no value is so close. */
export function suggestion(misspelt: readonly string[], values: readonly string[]): string {
  const names = values.filter((each) => misspelt.some((value) => editDistance(value, each) <= 2));
  return names.length > 0 ? `: did you mean ${names.join(', ')}?` : '';
}

function editDistance(value: string, allowed: string): number {
  const [a, b] = [value.slice(0, 100).toLowerCase(), allowed.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of a.split('').entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Splits a list at commas and newlines. */
export function items(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

import type { Cause } from '../lib/cause.ts';
import { DEFAULTS, type InputName } from './inputs.ts';

/** Reads raw inputs one by one and gathers what is wrong with them, so that all of it can be told at once. */
export class InputReader {
  readonly problems: Cause[] = [];
  readonly #valueOf: (name: InputName) => string;

  constructor(valueOf: (name: InputName) => string) {
    this.#valueOf = valueOf;
  }

  /** An empty value means the default, so that an unset repository variable can be passed on. */
  text(name: InputName): string {
    return this.#valueOf(name).trim() || DEFAULTS[name].trim();
  }

  /** @param got what it is, in words or quoted; never a secret */
  reject(name: InputName, got: string, takes: string): void {
    this.problems.push({
      reason: 'bad-input',
      message: `Input \`${name}\` is ${got}.`,
      fix: `\`${name}\` takes ${takes}.`,
    });
  }

  oneOf<const T extends readonly string[]>(name: InputName, values: T): T[number] {
    const value = this.text(name);
    if (!values.includes(value)) this.reject(name, quoted(value), listed(values));
    return value;
  }

  anyCaseOf<const T extends readonly string[]>(name: InputName, values: T): T[number] {
    const value = this.text(name);
    const known = values.find((each) => each.toLowerCase() === value.toLowerCase());
    if (known === undefined) this.reject(name, quoted(value), listed(values));
    return known ?? value;
  }

  flag(name: InputName): boolean {
    const value = this.text(name);
    // The words of YAML's core schema, which is what a workflow's author thinks in.
    if (!/^(true|True|TRUE|false|False|FALSE)$/.test(value)) this.reject(name, quoted(value), '`true` or `false`');
    return value.toLowerCase() === 'true';
  }

  integer(name: InputName, min: number, max: number): number {
    const value = this.text(name);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
    return number;
  }

  /** Undefined where the input is not set. */
  optional<T>(name: InputName, parse: (value: string) => T): T | undefined {
    const value = this.text(name);
    return value === '' ? undefined : parse(value);
  }
}

export function quoted(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

export function listed(values: readonly string[], word = 'or'): string {
  const names = values.map((value) => `\`${value}\``);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** Items separated by commas or newlines. */
export function items(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** More than anybody writes, and far less than the stack takes when it is written again. */
const MAX_LEVELS = 100;

/** Undefined where it is not JSON, or nested too deeply to be passed on. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(MAX_LEVELS, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

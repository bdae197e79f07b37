import type { Cause } from '../lib/cause.ts';
import { parseJson } from '../lib/format.ts';
import { DEFAULTS, type InputName } from './inputs.ts';

/** Reads raw inputs one by one and collects their problems. A rejected input gets its default value. */
export class InputReader {
  readonly #problems: Cause[] = [];
  readonly #valueOf: (name: InputName) => string;

  constructor(valueOf: (name: InputName) => string) {
    this.#valueOf = valueOf;
  }

  /** An empty value means the default, so that an unset repository variable can be passed on. */
  text(name: InputName): string {
    return this.#valueOf(name).trim() || DEFAULTS[name].trim();
  }

  get problems(): readonly Cause[] {
    return this.#problems;
  }

  addProblem(problem: Cause): void {
    this.#problems.push(problem);
  }

  /** @param got what the input is: quoted, or described if it is a secret */
  reject(name: InputName, got: string, takes: string): void {
    this.addProblem({
      reason: 'bad-input',
      message: `Input \`${name}\` is ${got}${got.endsWith('?') ? '' : '.'}`,
      fix: `\`${name}\` takes ${takes}.`,
    });
  }

  /** In any case; the result is spelled as in `values`. */
  anyCaseOf<const T extends readonly [string, ...string[]]>(name: InputName, values: T): T[number] {
    const value = this.text(name).toLowerCase();
    return this.#choice(name, values, (each) => each.toLowerCase() === value);
  }

  oneOf<const T extends readonly [string, ...string[]]>(name: InputName, values: T): T[number] {
    const value = this.text(name);
    return this.#choice(name, values, (each) => each === value);
  }

  #choice<const T extends readonly [string, ...string[]]>(
    name: InputName,
    values: T,
    isMeant: (each: string) => boolean,
  ): T[number] {
    const known = values.find(isMeant);
    if (known !== undefined) return known;
    const value = this.text(name);
    this.reject(name, quoted(value) + suggestion([nearest(value, values)]), listed(values));
    return values.find((each) => each === DEFAULTS[name]) ?? values[0];
  }

  flag(name: InputName): boolean {
    const value = this.text(name);
    // The spellings of YAML's core schema, because inputs are written in YAML.
    if (/^(true|True|TRUE|false|False|FALSE)$/.test(value)) return value.toLowerCase() === 'true';
    const meant = /^(yes|on|1)$/i.test(value) ? 'true' : /^(no|off|0)$/i.test(value) ? 'false' : undefined;
    this.reject(name, quoted(value) + suggestion([meant]), '`true` or `false`');
    return DEFAULTS[name] === 'true';
  }

  integer(name: InputName, min: number, max: number): number {
    const value = this.text(name);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
    return Number(DEFAULTS[name]);
  }

  /** Undefined if the input is not set. */
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

/** ": did you mean MAJOR?", or nothing. */
export function suggestion(meant: readonly (string | undefined)[]): string {
  const names = [...new Set(meant.filter((each) => each !== undefined))];
  return names.length > 0 ? `: did you mean ${names.join(', ')}?` : '';
}

/** The allowed value that a misspelt one most likely means: at most two edits away. */
export function nearest(value: string, values: readonly string[]): string | undefined {
  const distances = values.map((each) => ({ each, distance: editDistance(value.toLowerCase(), each.toLowerCase()) }));
  const [best] = distances.toSorted((a, b) => a.distance - b.distance);
  return best && best.distance <= 2 ? best.each : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of a.slice(0, 100).split('').entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Items separated by commas or newlines. */
export function items(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Deeper JSON could exhaust the stack when it is serialised again. */
const MAX_LEVELS = 100;

/** Undefined if it is not JSON, or nested too deeply. */
export function parseFlatJson(text: string): unknown {
  const value = parseJson(text);
  return isDeeperThan(MAX_LEVELS, value) ? undefined : value;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

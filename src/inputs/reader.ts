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

  oneOf<const T extends readonly [string, ...string[]]>(name: InputName, values: T): T[number] {
    return this.#choice(name, values, (each, value) => each === value);
  }

  anyCaseOf<const T extends readonly [string, ...string[]]>(name: InputName, values: T): T[number] {
    return this.#choice(name, values, (each, value) => each.toLowerCase() === value.toLowerCase());
  }

  #choice<const T extends readonly [string, ...string[]]>(
    name: InputName,
    values: T,
    isSame: (each: string, value: string) => boolean,
  ): T[number] {
    const value = this.text(name);
    const known = values.find((each) => isSame(each, value));
    if (known !== undefined) return known;
    const suggestion = nearest(value, values);
    const got = quoted(value) + (suggestion === undefined ? '' : `: did you mean ${suggestion}?`);
    this.reject(name, got, listed(values));
    return values.find((each) => each === DEFAULTS[name]) ?? values[0];
  }

  flag(name: InputName): boolean {
    const value = this.text(name);
    // The spellings of YAML's core schema, because inputs are written in YAML.
    if (/^(true|True|TRUE|false|False|FALSE)$/.test(value)) return value.toLowerCase() === 'true';
    const meant = /^(yes|on|1)$/i.test(value) ? 'true' : /^(no|off|0)$/i.test(value) ? 'false' : undefined;
    this.reject(name, `${quoted(value)}${meant ? `: did you mean ${meant}?` : ''}`, '`true` or `false`');
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

const JSON_TOKENS =
  /(?:\s*(?:"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|[{}[\],:]))*\s*/iuy;

/** "not valid JSON at line 2, column 5": the place of the first mistake, as far as it is known. */
export function describeBadJson(text: string): string {
  const position = badJsonAt(text);
  if (position === undefined) return 'not valid JSON';
  const before = text.slice(0, position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const rest = text.slice(position).trim();
  return rest === ''
    ? `not valid JSON: it ends too early, at ${place}`
    : `not valid JSON at ${place}: ${quoted(rest.slice(0, 20))}`;
}

function badJsonAt(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    if (position !== undefined) return Number(position);
    if (message.includes('end of JSON')) return text.length;
    // The engine gives no position for an unexpected character, such as that of a text without quotation marks.
    JSON_TOKENS.lastIndex = 0;
    const read = JSON_TOKENS.exec(text)?.[0].length ?? 0;
    return read === text.length ? undefined : read;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

import { Minimatch } from 'minimatch';

/** Matches one character; `many` matches any number of any characters. */
type Token = ((character: string) => boolean) | 'many';

/** A class in brackets. A `]` in first place is a member, and so can be `[:alpha:]`. */
const CLASS = /^\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/u;

/** `*.png`: most patterns have this form, so it has a fast path. */
const ENDING = /^\*([^*?[\]\\]+)$/;

/**
 * Makes a test for names from one segment of a pattern: `*`, `?`, classes and `\\`. Classes are left to `minimatch`; the
 * rest is not, because its regular expressions take exponential time on a pattern with many stars.
 */
export function compileGlob(pattern: string, ignoresCase: boolean): (name: string) => boolean {
  const ending = ENDING.exec(pattern)?.[1];
  if (ending !== undefined && !ignoresCase) return (name) => name.endsWith(ending);
  const tokens = parseTokens(pattern, ignoresCase);
  return (name) => matchesTokens(tokens, Array.from(name));
}

function parseTokens(pattern: string, ignoresCase: boolean): readonly Token[] {
  const tokens: Token[] = [];
  let rest = pattern;
  while (rest !== '') {
    // Without a `]` no class can match, and the search for one would take quadratic time.
    const text = (rest.includes(']') ? CLASS.exec(rest)?.[0] : undefined) ?? /^\\[^]|^[^]/u.exec(rest)?.[0] ?? rest;
    rest = rest.slice(text.length);
    if (text !== '*') tokens.push(parseCharacter(text, ignoresCase));
    else if (tokens.at(-1) !== 'many') tokens.push('many');
  }
  return tokens;
}

function parseCharacter(text: string, ignoresCase: boolean): Token {
  if (text === '?') return () => true;
  if (text.length > 2 && text.startsWith('[')) return parseClass(text, ignoresCase);
  const literal = text.startsWith('\\') && text.length > 1 ? text.slice(1) : text;
  return ignoresCase
    ? (character) => character.toLowerCase() === literal.toLowerCase()
    : (character) => character === literal;
}

function parseClass(text: string, ignoresCase: boolean): Token {
  const parsed = new Minimatch(text, {
    dot: true,
    nobrace: true,
    nocase: ignoresCase,
    noext: true,
    nonegate: true,
    nocomment: true,
    platform: 'linux',
  }).set[0]?.[0];
  if (parsed instanceof RegExp) return (character) => parsed.test(character);
  return (character) => character === parsed;
}

/** Goes back to the last star only, since an earlier one cannot match more, so the time is at most quadratic. */
function matchesTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0;
  let token = 0;
  let star: { readonly token: number; at: number } | undefined;
  while (at < name.length) {
    const current = tokens[token];
    if (current === 'many') {
      star = { token, at };
      token += 1;
    } else if (current?.(name[at] ?? '')) {
      at += 1;
      token += 1;
    } else if (star) {
      star.at += 1;
      at = star.at;
      token = star.token + 1;
    } else {
      return false;
    }
  }
  while (tokens[token] === 'many') token += 1;
  return token === tokens.length;
}

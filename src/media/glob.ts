import { Minimatch } from 'minimatch';

/** Matches one character, or any number of any. */
type Token = ((character: string) => boolean) | 'many';

/** A class in brackets, as far as it goes: `]` first in it is a member, and `[:alpha:]` may be one. */
const CLASS = /^\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/u;

/** `*.png`: what nearly all patterns are, fifty of the default ones, so that each name is compared with fifty of them. */
const ENDING = /^\*([^*?[\]\\]+)$/;

/**
 * Whether a name fits a pattern of one path segment: `*`, `?`, classes and `\\`. Classes mean what they mean to
 * `minimatch`; the rest is our own, because its regular expressions take for ever on a pattern with many stars.
 */
export function globOf(pattern: string, ignoresCase: boolean): (name: string) => boolean {
  const ending = ENDING.exec(pattern)?.[1];
  if (ending !== undefined && !ignoresCase) return (name) => name.endsWith(ending);
  const tokens = tokensOf(pattern, ignoresCase);
  return (name) => fits(tokens, Array.from(name));
}

function tokensOf(pattern: string, ignoresCase: boolean): readonly Token[] {
  const tokens: Token[] = [];
  let rest = pattern;
  while (rest !== '') {
    // A bracket that nothing closes is looked at once, not once for every bracket.
    const text = (rest.includes(']') ? CLASS.exec(rest)?.[0] : undefined) ?? /^\\[^]|^[^]/u.exec(rest)?.[0] ?? rest;
    rest = rest.slice(text.length);
    if (text !== '*') tokens.push(oneCharacter(text, ignoresCase));
    else if (tokens.at(-1) !== 'many') tokens.push('many');
  }
  return tokens;
}

function oneCharacter(text: string, ignoresCase: boolean): Token {
  if (text === '?') return () => true;
  if (text.length > 2 && text.startsWith('[')) return classOf(text, ignoresCase);
  const literal = text.startsWith('\\') && text.length > 1 ? text.slice(1) : text;
  return ignoresCase
    ? (character) => character.toLowerCase() === literal.toLowerCase()
    : (character) => character === literal;
}

function classOf(text: string, ignoresCase: boolean): Token {
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

/** Goes back to the last star only: an earlier one could not do what that one cannot. So the time is bounded. */
function fits(tokens: readonly Token[], name: readonly string[]): boolean {
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

/** Response bodies are untrusted, so a value that is nested deeper than this is left out. No report is as deep. */
const MAX_DEPTH = 50;
const HIDDEN = '***';

/**
 * Matches a signature in an address by the parameter names of Azure, Amazon and Google. The text may be JSON in JSON or
 * in HTML, so `&` may be escaped as `\u0026` and `/` as `\/`. A value ends at `&`, a quote or space.
 */
const SIGNATURE_START = String.raw`(?:[?&;]|\\u0026|\\u003[bf])(?:sig|signature|x-(?:amz|goog)-[a-z-]+)(?:=|\\u003d)`;
const SIGNATURE_VALUE = String.raw`(?:[^&\s"'\\]|\\+\/|\\+u(?!00(?:2[0267]|3[ce]))[0-9a-f]{4})+`;
const SIGNATURE = new RegExp(`(?<=${SIGNATURE_START})${SIGNATURE_VALUE}`, 'gi');

/**
 * The secrets of a run, which a server may repeat. Every text of a response or an error is cleaned before it is shown,
 * published or saved, and before it is cut or escaped, but not before it is parsed: cleaning changes no verdict.
 */
export function createSecrets() {
  /** In each group, twice as many secrets as in the next or more: a new secret compiles few others again. */
  const groups: { readonly secrets: ReadonlySet<string>; readonly pattern: RegExp }[] = [];

  function add(added: readonly string[]): void {
    let secrets = new Set(added.filter((secret) => secret !== ''));
    if (secrets.size === 0) return;
    while ((groups.at(-1)?.secrets.size ?? Number.POSITIVE_INFINITY) < 2 * secrets.size)
      secrets = secrets.union(groups.pop()?.secrets ?? new Set());
    const longestFirst = [...secrets].toSorted((a, b) => b.length - a.length);
    groups.push({ secrets, pattern: new RegExp(longestFirst.map(RegExp.escape).join('|'), 'gi') });
  }

  function cleaned(value: unknown, depth: number): unknown {
    if (typeof value === 'string')
      return [...groups.map(({ pattern }) => pattern), SIGNATURE].reduce(
        (text, pattern) => text.replace(pattern, HIDDEN),
        value,
      );
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return HIDDEN;
    if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
    const fields = Object.entries(value).map(([name, each]) => [cleaned(name, depth), cleaned(each, depth + 1)]);
    return Object.fromEntries(fields);
  }

  /** Hides the secrets in a text, or in all texts and names of fields of a plain value, in any letter case. */
  function clean<T>(value: T): T;
  function clean(value: unknown): unknown {
    return cleaned(value, 0);
  }

  return { add, clean };
}

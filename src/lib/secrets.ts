/** A shorter text is no secret. Hiding it would only damage other texts. */
const MIN_LENGTH = 8;
/** Most values in an address are names and numbers. A longer one may be a signature or a token. */
const MIN_LENGTH_IN_ADDRESS = 16;
const HIDDEN = '***';
/** A service may repeat an address that an earlier run, or the service itself, was given. */
const SIGNATURE = /(?<=[?&](?:sig|x-amz-signature)=)[^\s&"'<>]{16,}/gi;

/** The secrets of a run. A server may repeat them, so texts of responses and errors are cleaned. */
export function createSecrets() {
  /** In lower case, as they are and without escapes. */
  const all = new Set<string>();

  function hide(given: string): string {
    const text = given.replace(SIGNATURE, HIDDEN);
    const lower = text.toLowerCase();
    const found = [...all].filter((secret) => lower.includes(secret));
    if (found.length === 0) return text;
    // The longest comes first: a secret may be the beginning of another one.
    const patterns = found.toSorted((a, b) => b.length - a.length).map((secret) => RegExp.escape(secret));
    return text.replace(new RegExp(patterns.join('|'), 'gi'), HIDDEN);
  }

  return {
    add: (secrets: readonly string[]): void => {
      const forms = secrets.flatMap((secret) => [secret, withoutEscapes(secret)]);
      for (const form of forms) if (form.length >= MIN_LENGTH) all.add(form.toLowerCase());
    },

    /**
     * Hides every secret in a text, in any letter case, also if it is escaped (`ESCAPE`, up to four times). If an escaped
     * secret is found, the whole text is returned without escapes. Call it before the text is cut.
     */
    clean: (text: string): string => {
      const shown = hide(text);
      const plain = withoutEscapes(shown);
      const hidden = plain === shown ? plain : hide(plain);
      return hidden === plain ? shown : hidden;
    },
  };
}

/** One character that is escaped for an address, JSON, HTML or XML, and the backslash before any other character. */
const ESCAPE = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|&#x([0-9a-f]{2});|&#(\d{2,3});|&(amp|lt|gt|quot|apos);|\\/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Servers put texts into texts: an address in JSON, and that in a page. */
const MAX_ESCAPES = 4;

function withoutEscapes(text: string): string {
  let plain = text;
  for (let times = 0; times < MAX_ESCAPES && /[%\\&]/.test(plain); times++)
    plain = plain.replace(
      ESCAPE,
      (_, percent?: string, json?: string, hex?: string, decimal?: string, name?: string) => {
        const code = percent ?? json ?? hex;
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
        return decimal === undefined
          ? (ENTITIES[name?.toLowerCase() ?? ''] ?? '')
          : String.fromCharCode(Number(decimal));
      },
    );
  // In the query of an address, `+` stands for a space.
  return plain.replaceAll('+', ' ');
}

/**
 * The long values in the path, the query and the fragment of an upload address, as they are and decoded.
 *
 * @param names what the address is expected to repeat, and what reports must be able to show
 */
export function secretsIn(address: string, names: readonly string[]): readonly string[] {
  const { pathname, search, hash } = new URL(address);
  const valueOf = (part: string): string => part.slice(part.indexOf('=') + 1);
  // A part of a path or a fragment may end in `=`, so it is also taken whole.
  const parts = [...pathname.split('/'), ...hash.slice(1).split('&')];
  const values = [...parts, ...parts.map(valueOf), ...search.slice(1).split('&').map(valueOf)];
  const long = values.filter(({ length }) => length >= MIN_LENGTH_IN_ADDRESS);
  const secrets = long.filter((value) => !names.includes(decoded(decoded(value))));
  return [...new Set(secrets.flatMap((value) => [value, decoded(value), decoded(decoded(value))]))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

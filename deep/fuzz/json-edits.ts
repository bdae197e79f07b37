import * as fc from 'fast-check';
import { anyText } from '../../test/report/arbitrary.ts';

/** A change of a JSON text. `at` and `from` are indexes of its values, modulo their number; the whole is the first. */
export type JsonEdit =
  | { readonly do: 'put'; readonly at: number; readonly text: string }
  | { readonly do: 'nest' | 'lengthen' | 'repeat'; readonly at: number; readonly times: number }
  | { readonly do: 'copy'; readonly at: number; readonly from: number }
  | { readonly do: 'drop'; readonly at: number }
  | { readonly do: 'cut'; readonly share: number };

const at = fc.nat({ max: 60 });

/** JSON that fits in another place, or in none. */
const anyJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('null', 'true', '[]', '{}', '[null]', '[{}]', '""', '" "', '"0"', '{"__proto__":{"a":1}}'),
  fc.constantFrom('0', '1', '-1', '0.5', '1e21', '1e999', '9007199254740993', '4294967296'),
  fc.constantFrom('"complete"', '"COMPLETE"', '"failed"', '"processing"', '"CRITICAL"', '"MINOR"', '"OPEN"'),
  fc.constantFrom('"DISMISSED"', '"00000000-0000-4000-8000-000000000000"', '"a/b"', '"../.."', '"https://x.invalid"'),
  fc.constantFrom('"2026-11-15T12:00:00.000Z"', '"9999-12-31T23:59:59Z"', '"0000-01-01T00:00:00Z"', '"2026-13-99"'),
  fc.constantFrom('"\\ud800"', '"\\u0000"', '"\\ufeff"', '"\\u202e"'),
  anyText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 2 }),
);

function edit<Name extends string>(name: Name): { readonly do: fc.Arbitrary<Name>; readonly at: typeof at } {
  return { do: fc.constant(name), at };
}

const anyJsonEdit: fc.Arbitrary<JsonEdit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ...edit('put'), text: anyJson }) },
  { weight: 4, arbitrary: fc.record(edit('drop')) },
  { weight: 4, arbitrary: fc.record({ ...edit('copy'), from: at }) },
  { weight: 3, arbitrary: fc.record({ ...edit('repeat'), times: fc.constantFrom(1, 2, 30) }) },
  fc.record({ ...edit('nest'), times: fc.constantFrom(50, 3_000, 60_000) }),
  fc.record({ ...edit('lengthen'), times: fc.constantFrom(2_000, 130_000) }),
  fc.record({ do: fc.constant('cut'), share: fc.constantFrom(0, 0.3, 0.9, 0.99) }),
);

export const anyJsonEdits = fc.array(anyJsonEdit, { minLength: 1, maxLength: 3 });

/** Applies the edits one after another. A text that is no longer JSON stays as it is. */
export function editJson(json: string, edits: readonly JsonEdit[]): string {
  return edits.reduce((text, each) => {
    try {
      return edited(text, each);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) return text;
      throw error;
    }
  }, json);
}

/** Stands for JSON that `JSON.stringify` would not write. */
const RAW = '@@raw@@';

function edited(text: string, change: JsonEdit): string {
  if (change.do === 'cut') return text.slice(0, Math.floor(text.length * change.share));
  const root: Holder = { whole: JSON.parse(text) };
  const places = placesIn(root, 'whole');
  const placeOf = (index: number): Place => places[index % places.length] ?? { holder: root, key: 'whole' };
  const { holder, key } = placeOf(change.at);
  const raw = rawText(change, holder[key]);
  if (raw !== undefined) holder[key] = RAW;
  else if (change.do === 'copy') {
    const source = placeOf(change.from);
    holder[key] = structuredClone(source.holder[source.key]);
  } else if (change.do === 'drop' && !Array.isArray(holder)) delete holder[key];
  else if (Array.isArray(holder)) {
    const copies = change.do === 'repeat' ? change.times + 1 : 0;
    holder.splice(Number(key), 1, ...Array.from({ length: copies }, () => structuredClone(holder[key])));
  }
  return (JSON.stringify(root['whole']) ?? '').replace(`"${RAW}"`, () => raw ?? '');
}

/** @returns the text that replaces the value, if `JSON.stringify` might not write it */
function rawText(change: JsonEdit, value: unknown): string | undefined {
  if (change.do === 'put') return change.text;
  if (change.do === 'nest') return '['.repeat(change.times) + ']'.repeat(change.times);
  return change.do === 'lengthen' ? JSON.stringify(String(value) + 'ab<'.repeat(change.times)) : undefined;
}

type Holder = Record<string, unknown>;

interface Place {
  readonly holder: Holder;
  readonly key: string;
}

function placesIn(holder: Holder, key: string): readonly Place[] {
  const value = holder[key];
  const inner = isHolder(value) ? Object.keys(value).flatMap((each) => placesIn(value, each)) : [];
  return [{ holder, key }, ...inner];
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

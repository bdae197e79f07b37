import * as fc from 'fast-check';
import { anyText } from '../../test/faults/hostile.ts';

/** A change of a JSON text. `at` and `from` are indexes of its values, modulo their number. */
export type JsonEdit =
  | { readonly do: 'put'; readonly at: number; readonly text: string }
  | { readonly do: 'nest'; readonly at: number; readonly depth: number }
  | { readonly do: 'lengthen'; readonly at: number; readonly to: number }
  | { readonly do: 'copy'; readonly at: number; readonly from: number }
  | { readonly do: 'drop'; readonly at: number }
  | { readonly do: 'repeat'; readonly at: number; readonly times: number }
  | { readonly do: 'cut'; readonly share: number };

const at = fc.nat({ max: 60 });

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** JSON that fits in another place, or in none. */
const anyJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '[{}]', '""', '" "', '"null"', '"0"'),
  fc.constantFrom('0', '1', '2', '-0', '-1', '0.5', '1e21', '1e999', '-1e999', '9007199254740993', '4294967296'),
  fc.constantFrom('complete', 'COMPLETE', 'failed', 'processing', 'CRITICAL', 'critical', 'MINOR').map(quoted),
  fc.constantFrom('OPEN', 'DISMISSED', '00000000-0000-4000-8000-000000000000', 'a/b/c').map(quoted),
  fc.constantFrom('2026-11-15T12:00:00.000Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', '2026-13-99').map(quoted),
  fc.constantFrom('../..', '%2e%2e/..', '?', 'https://nowhere.invalid/x', 'https://', '1e3').map(quoted),
  fc.constantFrom('"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\ufeff"', '"\\u202e"', '{"__proto__":{"a":1}}'),
  anyText.map(quoted),
  fc.json({ maxDepth: 2 }),
);

export const anyJsonEdit: fc.Arbitrary<JsonEdit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), at, text: anyJson }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('drop' as const), at }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('copy' as const), at, from: at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), at, times: fc.constantFrom(1, 2, 30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('nest' as const), at, depth: fc.constantFrom(50, 3_000, 60_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('lengthen' as const), at, to: fc.constantFrom(5_000, 400_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), share: fc.constantFrom(0, 0.3, 0.9, 0.99) }) },
);

/** A value in a document, with ways to change it. */
interface Place {
  readonly value: unknown;
  /** If it is a field of an object. */
  readonly key?: string;
  readonly put?: (value: unknown) => void;
  readonly drop?: () => void;
  readonly repeat?: (times: number) => void;
}

/** Applies the edits one after another. A text that is no longer JSON stays as it is. */
export function editJson(json: string, edits: readonly JsonEdit[]): string {
  return edits.reduce((text, edit) => {
    try {
      return edited(text, edit);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) return text;
      throw error;
    }
  }, json);
}

/** Placeholders for text that `JSON.stringify` would not write. */
const RAW = '@@raw@@';
const DUPLICATE_KEY = '@@duplicate@@';

function edited(text: string, edit: JsonEdit): string {
  if (edit.do === 'cut') return text.slice(0, Math.floor(text.length * edit.share));
  const whole: { value: unknown } = { value: JSON.parse(text) };
  const root: Place = { value: whole.value, put: (value) => (whole.value = value) };
  const places = [root, ...placesIn(whole.value)];
  const place = places[edit.at % places.length] ?? root;
  let raw = '';
  let duplicate = '';
  switch (edit.do) {
    case 'put':
      raw = edit.text;
      place.put?.(RAW);
      break;
    case 'nest':
      raw = '['.repeat(edit.depth) + ']'.repeat(edit.depth);
      place.put?.(RAW);
      break;
    case 'lengthen':
      place.put?.(String(place.value).padEnd(edit.to, 'ab<'));
      break;
    case 'copy':
      place.put?.(structuredClone(places[edit.from % places.length]?.value));
      break;
    case 'drop':
      place.drop?.();
      break;
    case 'repeat':
      duplicate = JSON.stringify(place.key ?? '');
      place.repeat?.(edit.times);
      break;
  }
  return JSON.stringify(whole.value)
    .replace(`"${RAW}"`, () => raw)
    .replace(`"${DUPLICATE_KEY}"`, () => duplicate);
}

function placesIn(value: unknown): readonly Place[] {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    return list.flatMap((item, index) => [
      {
        value: item,
        put: (other) => (list[index] = other),
        drop: () => list.splice(index, 1),
        repeat: (times) => list.splice(index, 0, ...Array.from({ length: times }, () => structuredClone(item))),
      },
      ...placesIn(item),
    ]);
  }
  if (typeof value !== 'object' || value === null) return [];
  const object = new Map(Object.entries(value));
  return [...object].flatMap(([key, item]) => [
    {
      key,
      value: item,
      put: (other: unknown) => Object.assign(value, { [key]: other }),
      drop: () => Reflect.deleteProperty(value, key),
      repeat: () => Object.assign(value, { [DUPLICATE_KEY]: null }),
    },
    ...placesIn(item),
  ]);
}

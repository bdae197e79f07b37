import type { ListShape } from './scenario.ts';

/** A list in one of the shapes that the service may use. `key` is its usual name. */
export function shapeList(items: readonly unknown[], key: string, shape: ListShape, query: URLSearchParams): unknown {
  const name = shape.as ?? key;
  if (name === 'unreadable') return { [key]: `${items.length} in all` };
  const shown = items.slice(0, shape.short);
  if (shape.pageSize !== undefined) {
    const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
    const start = (page - 1) * shape.pageSize;
    const next = start + shape.pageSize < shown.length ? `?page=${page + 1}` : null;
    const wrapper = name === 'array' ? 'items' : name;
    return { [wrapper]: shown.slice(start, start + shape.pageSize), total: shown.length, page, next };
  }
  return name === 'array' ? shown : { [name]: shown };
}

/** The items in another order, which changes with each turn. */
export function rotate<T>(items: readonly T[], turn: number): readonly T[] {
  if (items.length < 2) return items;
  const by = 1 + (turn % (items.length - 1));
  return [...items.slice(by), ...items.slice(0, by)];
}

/** The same value with an extra field in every object. */
export function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withExtraFields(inner)] as const);
  return { ...Object.fromEntries(entries), addedLater: { since: 'a later release' } };
}

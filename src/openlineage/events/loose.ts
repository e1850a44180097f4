// Loose reading of what producers send: a value of another type than expected is as good as none.

/** The members of an object; none where it is something else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The first items of a list; none where it is something else. */
export function itemsOf(value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

/**
 * A text of at most so many characters, longer ones cut, without what PostgreSQL can't hold; undefined for what is no text
 * or is empty.
 */
export function textOf(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, most).toWellFormed().replaceAll('\0', '').trim();
  return text === '' ? undefined : text;
}

/** A whole number from 0 on; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** An object without the members that are undefined. */
export function compact<T extends object>(members: T): T {
  for (const name of Object.keys(members)) {
    if (Reflect.get(members, name) === undefined) Reflect.deleteProperty(members, name);
  }
  return members;
}

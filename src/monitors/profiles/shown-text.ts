// Values of rows as texts that people are shown.

/** Characters of a value that are shown. */
const longestValue = 200;

/** A value as a text; null where it has none. */
export function shownText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return textIn(value).replaceAll('\0', '').toWellFormed().slice(0, longestValue);
}

function textIn(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return String(value);
  return value instanceof Uint8Array
    ? `${value.length} bytes`
    : (JSON.stringify(value, (_key, inner) =>
        typeof inner === 'bigint' ? String(inner) : inner,
      ) ?? '');
}

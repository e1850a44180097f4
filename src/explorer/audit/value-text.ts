// Values of changes as text.

/** A value of a change as text; an empty one where there is none. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

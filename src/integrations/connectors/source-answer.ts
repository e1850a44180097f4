// Takes the fields out of what a source's catalog answered.

/** A text; empty for null. */
export function text(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

/** A text, or null where there is none. */
export function textOrNull(value: unknown): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}

/** A number of 0 or more; null for anything else, such as the -1 of what was never counted. */
export function countOrNull(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : null;
}

export function dateOrNull(value: unknown): Date | null {
  if (value === null || value === undefined || value === '') return null;
  const date = value instanceof Date ? value : new Date(String(value));
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Who ran a query: names with commas between them. */
export function usersIn(value: unknown): { user: string | null; users: readonly string[] } {
  const users = text(value)
    .split(',')
    .filter((name) => name !== '');
  return { user: users[0] ?? null, users };
}

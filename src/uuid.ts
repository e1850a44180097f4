// In charge of what an id looks like.

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string is a UUID in its usual form; anything else never reaches the database. */
export function isUuid(value: string): boolean {
  return pattern.test(value);
}

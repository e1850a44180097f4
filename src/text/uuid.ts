// The form of an id.

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string is a UUID in its usual form; anything else never reaches the database. */
export function isUuid(value: string): boolean {
  return pattern.test(value);
}

/** What is wrong with anything else in a field of ids, which may hold a secret and is not said back. */
export const notAnId = 'Use an id, which is a UUID.';

/** Ids that one message names at most. */
const maxNamed = 5;

/**
 * The sentence for ids that name nothing: the same for what there is not and for what the viewer may not
 * know of.
 */
export function unknownIds(what: string, ids: readonly string[]): string {
  const named = ids.filter(isUuid).slice(0, maxNamed);
  if (named.length === 0) return notAnId;
  const which = named.length === 1 ? 'the id' : 'these ids:';
  return `No ${what} of this workspace has ${which} ${named.join(', ')}.`;
}

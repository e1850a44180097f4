// What a login can do beyond reading tables, whatever its roles are called: SQL of monitors can do the same.

import { type Ask, type ConnectionCheck, found, type QueryResult } from './connector.ts';
import { SourceError } from './source-error.ts';

const usualMs = 15_000;

/** The rows of a question about rights; null where the login may not ask it. */
export async function rowsIfAllowed(
  ask: Ask,
  sql: string,
  timeoutMs = usualMs,
): Promise<readonly (readonly unknown[])[] | null> {
  return (await answerIfAllowed(ask, sql, timeoutMs))?.rows ?? null;
}

/** The same with the names of the columns. */
export async function answerIfAllowed(
  ask: Ask,
  sql: string,
  timeoutMs = usualMs,
): Promise<QueryResult | null> {
  try {
    return await ask(sql, { timeoutMs });
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

/** The check of a login's rights. `excess` says what it can do beyond reading, empty where it is nothing. */
export function rightsOf(user: string, excess: readonly string[], fix: string): ConnectionCheck {
  const name = 'rights';
  const all = excess.filter((one) => one !== '');
  if (all.length === 0) return found(name, 'The login only reads.');
  const message = `The login ${user} can do more than a monitor needs: ${all.join(', ')}.`;
  return { name, state: 'limited', message, fix };
}

/** Some names in a sentence. */
export function someOf(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.length > 5
    ? `${distinct.slice(0, 5).join(', ')} and others`
    : distinct.join(', ');
}

// The metrics of signing in.

import { type Database, ofDatabase } from '../database/database.ts';
import type { RefusalReason } from './refused.ts';

/** How often people signed in, by how it ended. */
export interface SignInFigure {
  /** Id of the provider, or `link`. */
  readonly method: string;
  readonly outcome: 'ok' | RefusalReason;
  readonly count: number;
}

const counts = ofDatabase(() => new Map<string, SignInFigure>());

/** Count a sign-in. The method is one that the operator set up, never what a client sent. */
export function countSignIn(
  database: Database,
  method: string,
  outcome: SignInFigure['outcome'],
): void {
  const all = counts(database);
  const name = `${method} ${outcome}`;
  all.set(name, { method, outcome, count: (all.get(name)?.count ?? 0) + 1 });
}

/** The sign-ins of this process. */
export function signIns(database: Database): SignInFigure[] {
  return [...counts(database).values()];
}

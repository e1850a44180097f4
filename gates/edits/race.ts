// A race: several people who do something at once, and what must be there then.

import type { Random } from '../../test/trials/random.ts';
import type { Client, Outcome } from './client.ts';

/** One race: prepares, does several things at once, and says what was lost of them. */
export type Race = (course: Course) => Promise<Verdict>;

/** What is wrong, in a sentence each; checked again when the imports at the end are through. */
export interface Verdict {
  check(): Promise<string[]>;
}

/** What a race is given. */
export interface Course {
  readonly random: Random;
  /** A number that no other race has. */
  readonly number: number;
  /** The admin, for what comes before and after. */
  readonly admin: Client;
  /** Two or three people, in a random order. */
  readonly people: readonly Person[];
  /** A table that an integration brought, and that is in no other race. */
  table(): Promise<string>;
  /** Ask for what must succeed; what its one root field answers. */
  // biome-ignore lint/suspicious/noExplicitAny: races read into answers of any shape.
  make(query: string, variables?: object): Promise<any>;
  /** Count a deed of the race: done, refused as it may be, or failed. Answers it if it was done. */
  count(outcome: Outcome, mayBe?: readonly string[]): Outcome | null;
}

/** Somebody who takes part. */
export interface Person extends Client {
  readonly id: string;
}

/** A deed that was acknowledged, with the version it made. */
export interface Done<Change> {
  readonly version: number;
  readonly change: Change;
}

/** Deeds in the order in which they came about. */
export function inOrder<Change>(done: readonly Done<Change>[]): Done<Change>[] {
  return done.toSorted((one, other) => one.version - other.version);
}

/** Say that two deeds claim to have made one version. */
export function doubled(done: readonly Done<unknown>[]): string[] {
  const versions = done.map(({ version }) => version);
  const all = new Set(versions).size === versions.length;
  return all ? [] : [`several deeds made one version: ${versions.join(', ')}`];
}

/** Say that something differs from what was expected; lists as sets. */
export function differs(what: string, found: unknown, expected: unknown): string[] {
  const text = (value: unknown) =>
    JSON.stringify(Array.isArray(value) ? value.toSorted() : (value ?? null));
  return text(found) === text(expected)
    ? []
    : [`${what} is ${text(found)} and should be ${text(expected)}`];
}

/** Each of a list with each person in turn, at once. */
export function atOnce<Item, Result>(
  { people }: Course,
  items: readonly Item[],
  deed: (person: Person, item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(
    items.map((item, at) => {
      const person = people[at % people.length];
      if (!person) throw new Error('A race needs people.');
      return deed(person, item, at);
    }),
  );
}

/** Some of a list, in a random order. */
export function some<Item>(
  { random }: Pick<Course, 'random'>,
  list: readonly Item[],
  number: number,
): Item[] {
  const keyed = list.map((item) => ({ item, key: random.even() }));
  return keyed
    .toSorted((one, other) => one.key - other.key)
    .slice(0, number)
    .map(({ item }) => item);
}

// Registers: the latest, or the first, that events say under a name. Whatever the order of events, and however often one comes,
// the registers are the same in the end.

/** When something was said: the time of the event and, where two are equal, its hash. */
export type Stamp = string;

/** What events say, by name. Names that begin with `<` keep what came first, all others what came last. */
export type Said = Readonly<Record<string, readonly [stamp: Stamp, value: unknown]>>;

/** The stamp of an event. Stamps are compared as texts. */
export function stampOf(at: string, hash: string): Stamp {
  return `${at} ${hash}`;
}

/** The time of a stamp. */
export function timeOf(stamp: Stamp): Date {
  return new Date(stamp.slice(0, stamp.indexOf(' ')));
}

/** What two say together. */
export function mergeSaid(one: Said, other: Said): Said {
  const merged: Record<string, readonly [Stamp, unknown]> = { ...one };
  for (const [name, said] of Object.entries(other)) {
    if (counts(name, said[0], merged[name]?.[0])) merged[name] = said;
  }
  return merged;
}

/** Whether what was said at a stamp counts, rather than what is known. */
function counts(name: string, stamp: Stamp, known: Stamp | undefined): boolean {
  if (known === undefined) return true;
  return name.startsWith('<') ? stamp < known : stamp > known;
}

/** Collects what events say of one thing. */
export class Saying {
  readonly #said: Record<string, readonly [Stamp, unknown]> = {};

  get said(): Said {
    return this.#said;
  }

  /** Note something, unless it is undefined. */
  say(stamp: Stamp, name: string, value: unknown): void {
    if (value === undefined) return;
    if (counts(name, stamp, this.#said[name]?.[0])) this.#said[name] = [stamp, value];
  }
}

/** What a register holds; undefined where nothing was said. */
export function latestOf(said: Said, name: string): unknown {
  return said[name]?.[1];
}

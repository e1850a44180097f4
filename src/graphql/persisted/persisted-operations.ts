// Operations that clients name by an id: those listed by the operator, and those sent before.

import { createHash } from 'node:crypto';
import { LruCache } from '../../limits/lru-cache.ts';

/** What an id stands for, and which operations may be run at all. */
export interface PersistedOperations {
  /** The text behind an id; undefined where it is neither listed nor remembered. */
  textOf(id: string): string | undefined;
  /** Keep a text under its SHA-256 until newer ones need the room. */
  remember(text: string): void;
  /** Whether a text may be run by those who may run nothing but what is listed. */
  isListed(text: string): boolean;
  /** Whether no one but admins may run what is not listed. */
  readonly onlyListed: boolean;
}

/** What the operator lists. */
export interface ListedOperations {
  /** Texts by the ids that their list gives them. */
  readonly byId: ReadonlyMap<string, string>;
  /** Texts that may be run as well, such as those of our own pages. */
  readonly others: Iterable<string>;
  readonly onlyListed: boolean;
}

/** Where nothing is listed, and whatever is sent may be run. */
export const nothingListed: ListedOperations = { byId: new Map(), others: [], onlyListed: false };

/** All remembered texts together have at most so many characters, some 8 MB. */
const maxRememberedLength = 4_000_000;
/** A longer text is not remembered: its client sends it each time. */
const maxTextLength = 100_000;

/** The SHA-256 of a text, in hexadecimal: what clients name it by. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Begin with what is listed, and nothing remembered. What is remembered is of this process alone. */
export function createPersistedOperations(listed: ListedOperations): PersistedOperations {
  const { byId, others, onlyListed } = listed;
  const texts = new Set([...byId.values(), ...others]);
  const byHash = new Map([...texts].map((text) => [hashOf(text), text]));
  const remembered = new LruCache<string>(maxRememberedLength);
  return {
    onlyListed,
    textOf(id) {
      const name = id.replace(/^sha256:/, '');
      return byId.get(id) ?? byId.get(name) ?? byHash.get(name) ?? remembered.get(name);
    },
    remember(text) {
      if (onlyListed || text.length > maxTextLength) return;
      const hash = hashOf(text);
      if (!byHash.has(hash)) remembered.set(hash, text, text.length);
    },
    isListed: (text) => texts.has(text),
  };
}

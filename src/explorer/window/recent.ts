// What was looked at last in this browser, the newest first; forgotten when a person signs out.

import { recentPlace as place } from '../asking/form.ts';

const most = 50;

/** What was looked at, and when. */
export interface Recent {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly titleFull: string;
  readonly at: string;
}

/** All of it. */
export function readRecent(): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Note that something is looked at now. */
export function noteRecent(one: Omit<Recent, 'at'>): void {
  const { id, kind, title, titleFull } = one;
  const others = readRecent().filter((other) => other.id !== id);
  const now = { id, kind, title, titleFull, at: new Date().toISOString() };
  localStorage.setItem(place, JSON.stringify([now, ...others].slice(0, most)));
}

function isRecent(one: unknown): one is Recent {
  const texts = ['id', 'kind', 'title', 'titleFull', 'at'];
  if (typeof one !== 'object' || one === null) return false;
  const values = new Map(Object.entries(one));
  return texts.every((name) => typeof values.get(name) === 'string');
}

// The places of the explorer: what the rail, the bar of phones and the search lead to.

import type { ViewerOfKeyData } from '../asking/viewer.graphql';
import { frameWords } from '../words/frame.ts';

type Action = ViewerOfKeyData['viewer']['allowedActions'][number];

/** A place that a group of the rail lists. */
export interface Place {
  readonly href: string;
  readonly name: string;
  readonly icon: string;
  readonly group: 'catalog' | 'quality' | 'manage';
  /** What one must be allowed to do so that it shows something; null for all. */
  readonly needs: Action | null;
  /** The letter that leads there after `g`. */
  readonly letter: string;
}

const places: readonly Place[] = [
  place('/', 'home', 'catalog', 'h'),
  place('/browse', 'browse', 'catalog', 'b'),
  place('/documents', 'documents', 'catalog', 'd'),
  place('/glossary', 'terms', 'catalog', 'g'),
  place('/questions', 'questions', 'catalog', 'q'),
  place('/monitors', 'monitors', 'quality', 'm'),
  place('/incidents', 'incidents', 'quality', 'i'),
  place('/impact', 'impact', 'quality', 'a'),
  place('/imports', 'sources', 'manage', 's', 'read_integrations'),
  place('/audit', 'audit', 'manage', 'l', 'read_the_audit_log'),
  // Editors find tags and rules there.
  place('/admin', 'settings', 'manage', 't', 'edit_monitors'),
];

function place(
  href: string,
  icon: keyof typeof frameWords.places,
  group: Place['group'],
  letter: string,
  needs: Action | null = null,
): Place {
  return { href, name: frameWords.places[icon], icon, group, letter, needs };
}

/** What can be made, from the bar and the search. */
export interface Making {
  readonly href: string;
  readonly name: string;
  readonly icon: string;
  readonly needs: Action;
}

const { makings: made } = frameWords;

const makings: readonly Making[] = [
  { href: '/documents/new', name: made.document, icon: 'documents', needs: 'edit_resources' },
  { href: '/glossary/new', name: made.term, icon: 'terms', needs: 'edit_resources' },
  { href: '/monitors/new', name: made.monitor, icon: 'monitors', needs: 'edit_monitors' },
  { href: '/imports/new', name: made.source, icon: 'sources', needs: 'manage_integrations' },
  {
    href: '/admin?part=people&open=new',
    name: made.person,
    icon: 'person',
    needs: 'manage_people',
  },
];

/** Those that show something to somebody who may do `actions`. */
export function placesFor(actions: readonly Action[]): readonly Place[] {
  return places.filter(({ needs }) => needs === null || actions.includes(needs));
}

/** Those that somebody who may do `actions` can make. */
export function makingsFor(actions: readonly Action[]): readonly Making[] {
  return makings.filter(({ needs }) => actions.includes(needs));
}

/** Whether an address belongs to a place: it is there, or below. What lies in a source is found by browsing. */
export function isAt(path: string, { href }: Pick<Place, 'href'>): boolean {
  if (href === '/browse' && /^\/(resource|lineage)\//.test(path)) return true;
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}

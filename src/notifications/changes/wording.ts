// What is said of changes: in words for people, as data for programs.

import { type ChangeName, changes } from '../../resources/editing/change.ts';
import type { NotificationContent } from '../outbox/outbox.ts';
import type { Concerned } from '../rule-destinations.ts';

/** A change as it was noted. */
export interface Noted {
  readonly id: number;
  readonly resourceId: string;
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly integrationId: string | null;
  readonly notedAt: Date;
}

/** A changed resource, and the table where it is a column. */
export interface ChangedResource extends Concerned {
  readonly kind: string;
  readonly title: string;
  readonly titleFull: string;
  readonly published: boolean;
  readonly tableId: string | null;
  readonly tableTitle: string | null;
  readonly tableTagIds: readonly string[];
  readonly tableTeamIds: readonly string[];
  readonly tablePublished: boolean;
}

const maxResources = 20;
const maxLines = 10;

/**
 * What a message says of changes: the resources by name, columns with their table, and below each what
 * changed. `withNames` says who did it.
 */
export function wordsFor(
  noted: readonly Noted[],
  places: ReadonlyMap<string, ChangedResource>,
  withNames: boolean,
): NotificationContent {
  const groups = new Map<string, { title: string; lines: Set<string> }>();
  for (const change of noted) {
    const place = places.get(change.resourceId);
    if (!place) continue;
    const id = place.tableId ?? place.id;
    const title = place.tableTitle ?? place.titleFull;
    const group = groups.get(id) ?? { title, lines: new Set() };
    groups.set(id, group);
    group.lines.add(lineOf(change, place, withNames));
  }
  const shown = [...groups.values()].slice(0, maxResources);
  const [first] = shown;
  const one = groups.size === 1 && first ? first.title : null;
  const lines = shown.flatMap(({ title, lines }) => [
    ...(one === null ? [`${title}:`] : []),
    ...[...lines].slice(0, maxLines).map((line) => `- ${line}`),
    ...(lines.size > maxLines ? [`- and ${lines.size - maxLines} more`] : []),
  ]);
  const others = groups.size - shown.length;
  if (others > 0) lines.push(`And ${others} other resources.`);
  return {
    title: one === null ? `${groups.size} resources changed` : `${one} changed`,
    text: one === null ? 'These resources changed:' : 'This changed:',
    lines,
    resources: [...groups.keys()].slice(0, maxResources),
  };
}

function lineOf(
  { what, before, after, actorName }: Noted,
  place: ChangedResource,
  withNames: boolean,
) {
  const word = isChange(what) ? changes[what] : what;
  const by = withNames && actorName ? `, by ${actorName}` : '';
  if (what === 'column_added') {
    return `column added: ${place.title}${after ? ` (${after})` : ''}${by}`;
  }
  if (what === 'column_removed') return `column gone from its source: ${place.title}${by}`;
  const subject = place.tableId === null ? '' : `column ${place.title}: `;
  return `${subject}${word}${valuesOf(before, after)}${by}`;
}

function valuesOf(before: string | null, after: string | null): string {
  if (before !== null && after !== null) return `: ${before} → ${after}`;
  return after === null ? '' : `: ${after}`;
}

const isChange = (what: string): what is ChangeName => Object.hasOwn(changes, what);

/** Changes that one request to a webhook carries. */
const perBody = 100;
/** Requests that are made of what was gathered; the last says how much more there was. */
const maxBodies = 50;

/** What webhooks are sent: all of it, in parts. */
export function bodiesOf(
  noted: readonly Noted[],
  places: ReadonlyMap<string, ChangedResource>,
  now: Date,
): string[] {
  const bodies: string[] = [];
  for (let at = 0; at < noted.length && bodies.length < maxBodies; at += perBody) {
    const isLast = bodies.length === maxBodies - 1;
    const data = {
      changes: noted.slice(at, at + perBody).map((change) => dataOf(change, places)),
      more: isLast ? Math.max(noted.length - at - perBody, 0) : 0,
    };
    bodies.push(JSON.stringify({ type: 'resource_changed', timestamp: now, data }));
  }
  return bodies;
}

function dataOf(change: Noted, places: ReadonlyMap<string, ChangedResource>) {
  const place = places.get(change.resourceId);
  const { what, before, after, actorId, integrationId, notedAt } = change;
  return {
    resource: {
      id: change.resourceId,
      kind: place?.kind,
      title: place?.titleFull,
      ...(place?.tableId ? { table: place.tableId } : {}),
    },
    ...{ what, before, after },
    ...{ user: actorId, integration: integrationId, at: notedAt },
  };
}

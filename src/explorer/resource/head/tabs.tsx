// The sections of a resource, as tabs.

import { Sections } from '../../window/sections.tsx';
import { resourceWords as words } from '../../words/resource.ts';
import { number } from '../../words.ts';
import { hasLineage, type ResourceShown, sqlOf } from '../shown.ts';

const names = [
  ...([
    'overview',
    'lineage',
    'quality',
    'profile',
    'sql',
    'questions',
    'comments',
    'activity',
  ] as const),
];
export type TabName = (typeof names)[number];

/** The tab that an address names, where the resource has it; the first one else. */
export function tabOf(resource: ResourceShown, name: string): TabName {
  return names.find((one) => one === name && isThere(resource, one)) ?? 'overview';
}

/** The address of a tab. */
export function hrefOf(id: string, tab: TabName): string {
  return `/resource/${id}${tab === 'overview' ? '' : `?tab=${tab}`}`;
}

/** The tabs that the resource has, each with how much is in it. */
export function Tabs({ resource, shown }: { resource: ResourceShown; shown: TabName }) {
  const there = names.filter((name) => isThere(resource, name));
  return (
    <Sections
      shown={shown}
      of={there.map((name) => ({
        ...{ id: name, href: hrefOf(resource.id, name), name: words.tabs[name] },
        count: countOf(resource, name),
      }))}
    />
  );
}

function isThere(resource: ResourceShown, name: TabName): boolean {
  const { kind, monitors, metrics, openIncidents } = resource;
  if (name === 'lineage') return hasLineage(resource);
  if (name === 'quality') {
    const tests = 'dataTests' in resource ? resource.dataTests.length : 0;
    return monitors.length + metrics.length + openIncidents.length + tests > 0;
  }
  if (name === 'profile') return 'rowCount' in resource && resource.integration !== null;
  if (name === 'sql') return sqlOf(resource) !== null;
  const isAnswered = kind === 'question' || kind === 'question_reply';
  if (name === 'comments') return !isAnswered;
  return name !== 'questions' || kind !== 'question';
}

function countOf(resource: ResourceShown, name: TabName): string | null {
  const { upstream, downstream, monitors, comments } = resource;
  if (name === 'lineage') return `${number(upstream.length)} / ${number(downstream.length)}`;
  if (name === 'comments') return comments.totalCount ? number(comments.totalCount) : null;
  if (name !== 'quality') return null;
  const tests = 'dataTests' in resource ? resource.dataTests.length : 0;
  return monitors.length + tests === 0 ? null : number(monitors.length + tests);
}

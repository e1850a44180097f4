// The summary strip: at most eight facts, each of which leads to the section that tells more.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Avatar } from '../../parts/avatar.tsx';
import { Moment } from '../../parts/moment.tsx';
import { resourceWords as words } from '../../words/resource.ts';
import { number } from '../../words.ts';
import type { ResourceShown } from '../shown.ts';
import { hrefOf, type TabName } from './tabs.tsx';

type State = 'good' | 'warning' | 'alarm';

interface FactShown {
  readonly name: string;
  readonly tab: TabName;
  readonly state?: State | undefined;
  readonly value: ReactNode;
  readonly more?: ReactNode;
}

/** The facts that there are; what the catalog does not know is left out. */
export function Strip({ resource }: { resource: ResourceShown }) {
  const facts = [
    freshnessOf(resource),
    rowsOf(resource),
    testsOf(resource),
    monitorsOf(resource),
    incidentsOf(resource),
    ownersOf(resource),
    changeOf(resource),
    useOf(resource),
  ].filter((fact) => fact !== null);
  return (
    <nav className="strip" aria-label={words.summary}>
      {facts.map(({ name, tab, state, value, more }) => (
        <Link key={name} href={hrefOf(resource.id, tab)}>
          <span className="quiet">{name}</span>
          <span className="value">
            {state && <i className={`dot ${state}`} />}
            {value}
          </span>
          <small>{more}</small>
        </Link>
      ))}
    </nav>
  );
}

function freshnessOf({ externalUpdatedAt, monitors }: ResourceShown): FactShown | null {
  if (!externalUpdatedAt) return null;
  const watch = monitors.find(({ metricType }) => metricType === 'freshness');
  const state = watch && stateOf(watch.status);
  return {
    ...{ name: words.freshness, tab: 'quality', state, value: <Moment at={externalUpdatedAt} /> },
    more: state && words.states[state],
  };
}

function rowsOf(resource: ResourceShown): FactShown | null {
  if (!('rowCount' in resource) || resource.rowCount === null) return null;
  return { name: words.rows, tab: 'overview', value: number(resource.rowCount) };
}

function testsOf(resource: ResourceShown): FactShown | null {
  const tests = 'dataTests' in resource ? resource.dataTests : [];
  if (tests.length === 0) return null;
  const count = (...wanted: readonly string[]) =>
    tests.filter(({ status }) => wanted.includes(status ?? '')).length;
  const state = count('fail', 'error') > 0 ? 'alarm' : count('warn') > 0 ? 'warning' : 'good';
  return {
    ...{ name: words.tests, tab: 'quality', state: count('pass') > 0 ? state : undefined },
    value: words.passing(count('pass'), tests.length),
  };
}

function monitorsOf({ monitors }: ResourceShown): FactShown | null {
  if (monitors.length === 0) return null;
  const states = monitors.map(({ status }) => stateOf(status));
  const state = (['alarm', 'warning'] as const).find((one) => states.includes(one)) ?? 'good';
  const last = monitors
    .flatMap(({ lastSuccessAt }) => lastSuccessAt ?? [])
    .toSorted()
    .at(-1);
  return {
    ...{ name: words.monitors, tab: 'quality', state },
    value: words.monitorsNormal(states.filter((one) => one === 'good').length, states.length),
    more: last && (
      <>
        {words.lastRun} <Moment at={last} />
      </>
    ),
  };
}

function stateOf(status: ResourceShown['monitors'][number]['status']): State {
  if (status === 'incident') return 'alarm';
  return status === 'error' ? 'warning' : 'good';
}

function incidentsOf({ openIncidents, monitors }: ResourceShown): FactShown | null {
  const [first] = openIncidents;
  if (!first) {
    if (monitors.length === 0) return null;
    return { name: words.incidents, tab: 'quality', value: words.noneOpen };
  }
  return {
    ...{ name: words.incidents, tab: 'quality', state: 'alarm' },
    value: words.open(openIncidents.length),
    more: (
      <>
        {words.since} <Moment at={first.firstSeenAt} />
      </>
    ),
  };
}

function ownersOf({ owners, ownerGroups }: ResourceShown): FactShown | null {
  const all = [
    ...owners.map(({ name }) => ({ name, isGroup: false })),
    ...ownerGroups.map(({ name }) => ({ name, isGroup: true })),
  ];
  if (all.length === 0) return null;
  return {
    ...{ name: words.owners, tab: 'overview' },
    value: all.slice(0, 4).map((one) => <Avatar key={one.name} {...one} />),
    more: all.map(({ name }) => name).join(', '),
  };
}

function changeOf({ updatedAt, lastModifiedBy }: ResourceShown): FactShown {
  return {
    ...{ name: words.lastChange, tab: 'activity', value: <Moment at={updatedAt} /> },
    more: lastModifiedBy && words.by(lastModifiedBy.name),
  };
}

function useOf({ downstream, totalUsage }: ResourceShown): FactShown | null {
  if (downstream.length + totalUsage === 0) return null;
  return {
    ...{ name: words.usedBy, tab: 'lineage', value: words.resources(downstream.length) },
    more: totalUsage > 0 && words.uses(totalUsage),
  };
}

// In charge of what stands beside a resource's page: people, tags, properties, usage.

import type { ReactNode } from 'react';
import { Moment } from '../parts/moment.tsx';
import { number, words } from '../words.ts';
import { Owners, Tags } from './links.tsx';
import type { ResourceShown } from './shown.ts';
import { Usage } from './usage.tsx';

/** All of it, each under a name of its own. */
export function Aside({ resource }: { resource: ResourceShown }) {
  const { teams, customProperties, usageDays, updatedAt, url } = resource;
  return (
    <aside className="sheet aside" aria-label={words.resource.about}>
      <Fact name={words.resource.owners}>
        <Owners resource={resource} />
      </Fact>
      <Fact name={words.resource.tags}>
        <Tags resource={resource} />
      </Fact>
      {teams.length > 0 && (
        <Fact name={words.resource.teams}>
          <Pills of={teams} />
        </Fact>
      )}
      {customProperties.map(({ property, value }) => (
        <Fact key={property.id} name={property.name}>
          {value}
        </Fact>
      ))}
      {'rowCount' in resource && resource.rowCount !== null && (
        <Fact name={words.resource.rows}>{number(resource.rowCount)}</Fact>
      )}
      <Fact name={words.resource.usage}>
        <Usage days={usageDays} total={resource.totalUsage} />
      </Fact>
      {url && (
        <Fact name={words.resource.source}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {hostOf(url)}
          </a>
        </Fact>
      )}
      <Fact name={words.resource.changed}>
        <Moment at={updatedAt} />
      </Fact>
    </aside>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h2>{name}</h2>
      <div>{children}</div>
    </section>
  );
}

function Pills({ of }: { of: readonly { readonly id: string; readonly name: string }[] }) {
  return of.map(({ id, name }) => (
    <span key={id} className="pill">
      {name}
    </span>
  ));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

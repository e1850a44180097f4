// In charge of what stands beside a resource's page: people, tags, teams, properties, usage.

import { Moment } from '../parts/moment.tsx';
import { number, words } from '../words.ts';
import { Fact } from './fact.tsx';
import { Owners, Tags, Teams } from './links.tsx';
import { Properties } from './properties/properties.tsx';
import type { ResourceShown } from './shown.ts';
import { Usage } from './usage.tsx';

/** All of it, each under a name of its own. */
export function Aside({ resource }: { resource: ResourceShown }) {
  const { usageDays, updatedAt, url } = resource;
  return (
    <aside className="sheet aside" aria-label={words.resource.about}>
      <Fact name={words.resource.owners}>
        <Owners resource={resource} />
      </Fact>
      <Fact name={words.resource.tags}>
        <Tags resource={resource} />
      </Fact>
      <Fact name={words.resource.teams}>
        <Teams resource={resource} />
      </Fact>
      <Properties resource={resource} />
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

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

// What there is of a source, at a glance: its contents, its last sync, its last change, its lineage and its schedule.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Moment } from '../parts/moment.tsx';
import { connectionWords } from '../words/connection.ts';
import { jobWords } from '../words/jobs/jobs.ts';
import { sourceWords } from '../words/sources.ts';
import { counted, kindName, number } from '../words.ts';
import type { SourceThere } from './shown.ts';

const words = connectionWords.strip;

/** The strip; a fact without data is left out. */
export function Glance({ source }: { source: SourceThere }) {
  const { fedBy, lastSync, lastChange, withLineage, tables, scheduledExtractionsFrequency } =
    source;
  const [main, rest] = contentsOf(source);
  const [changed] = lastChange.nodes;
  return (
    <ul className="glance" aria-label={words.label}>
      <Fact label={words.contents} says={main ?? counted(0, 'resource')} more={rest} />
      <Fact
        label={fedBy === 'sync' ? words.lastSync.sync : words.lastSync.other}
        says={lastSync ? jobWords.states[lastSync.state] : words.never}
        more={lastSync && <Moment at={lastSync.completedAt ?? lastSync.createdAt} />}
      />
      {changed && (
        <Fact
          label={words.lastChange}
          says={<Link href={`/resource/${changed.id}`}>{changed.title}</Link>}
          more={<Moment at={changed.updatedAt} />}
        />
      )}
      {tables.totalCount > 0 && (
        <Fact
          label={words.lineage}
          says={words.lineageOf(
            number(withLineage.totalCount),
            counted(tables.totalCount, kindName('table'), kindName('table', 2)),
          )}
        />
      )}
      {fedBy === 'sync' && (
        <Fact
          label={words.schedule}
          says={
            scheduledExtractionsFrequency === null
              ? sourceWords.noSchedule
              : sourceWords.every(scheduledExtractionsFrequency)
          }
          more={
            source.scheduledExtractionsNextRun && (
              <>
                {sourceWords.next} <Moment at={source.scheduledExtractionsNextRun} />
              </>
            )
          }
        />
      )}
    </ul>
  );
}

interface FactProps {
  readonly label: string;
  readonly says: ReactNode;
  readonly more?: ReactNode;
}

function Fact({ label, says, more }: FactProps) {
  return (
    <li>
      <small>{label}</small>
      <b>{says}</b>
      <small>{more}</small>
    </li>
  );
}

/** What it holds most people look for, and the rest of it. */
export function contentsOf(source: SourceThere): readonly [string | null, string] {
  const counts = [
    ['table', source.tables.totalCount],
    ['dashboard', source.dashboards.totalCount],
    ['schema', source.schemas.totalCount],
    ['column', source.columns.totalCount],
  ] as const;
  const [main = null, ...rest] = counts
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => counted(count, kindName(kind), kindName(kind, 2)));
  return [main, rest.join(', ')];
}

// The board of incidents: open, in progress, resolved. It is live.

import { Link } from 'wouter';
import { type AddressView, useAddress } from '../asking/address.ts';
import { useList } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { ChoosePerson, ChooseSource } from '../parts/choosing/choose.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { endName, incidentWords as words } from '../words/quality.ts';
import { number } from '../words.ts';
import { columnOf, columns, filterNames, severities } from './filter.ts';
import { type IncidentCard, IncidentColumn, IncidentsChanged } from './page.graphql';

const atOnce = 50;

/** The board; its address holds the filters. */
export function IncidentsPage() {
  const view = useAddress();
  useFollow(IncidentsChanged, {}, { renewed: [IncidentColumn.name] });
  return (
    <Page title={words.title}>
      <p className="quiet line">{words.live}</p>
      <FilterBar label={words.filters} clear={words.clear} view={view} names={filterNames}>
        <Choice
          label={words.severity}
          none={words.anySeverity}
          value={view.one('severity')}
          choose={(severity) => view.change({ severity })}
          choices={severities.map((id) => ({ id, name: id }))}
        />
        <ChoosePerson
          label={words.assignee}
          none={words.anybody}
          me={words.me}
          value={view.one('assignee')}
          choose={(assignee) => view.change({ assignee })}
        />
        <ChooseSource
          label={words.source}
          none={words.anySource}
          value={view.one('source')}
          choose={(source) => view.change({ source })}
        />
      </FilterBar>
      <div className="board">
        {columns.map((status) => (
          <Column key={status} status={status} view={view} />
        ))}
      </div>
    </Page>
  );
}

interface ColumnProps {
  readonly status: (typeof columns)[number];
  readonly view: AddressView;
}

function Column({ status, view }: ColumnProps) {
  const { data, nodes, rest, error, refetch, isPlaceholderData } = useList(
    IncidentColumn,
    columnOf(view, status),
    { atOnce, of: ({ incidents }) => incidents },
  );
  return (
    <section aria-labelledby={`column-${status}`} aria-busy={isPlaceholderData}>
      <h2 id={`column-${status}`}>
        {words.columns[status]} <i>{data ? number(data.incidents.totalCount) : '…'}</i>
      </h2>
      {error && <Problem error={error} again={refetch} />}
      {!data && !error && <Waiting lines={5} />}
      {data && nodes.length === 0 && <p className="quiet">{words.empty[status]}</p>}
      <ul>
        {nodes.map((incident) => (
          <li key={incident.id}>
            <Card incident={incident} />
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </section>
  );
}

function Card({ incident }: { incident: IncidentCard }) {
  const { id, name, summary, severity, firstSeenAt, resolvedAt, resolveReason } = incident;
  return (
    <article className="sheet" aria-label={name}>
      <p>
        <Status of={severity} />{' '}
        <span className="quiet">
          {resolvedAt ? words.ended : words.since} <Moment at={resolvedAt ?? firstSeenAt} />
        </span>
      </p>
      <p>
        <Link href={`/incidents/${id}`}>{name}</Link>
      </p>
      <p className="sum">{summary}</p>
      <p className="quiet">
        {incident.target && (
          <Link href={`/resource/${incident.target.id}`}>{incident.target.titleFull}</Link>
        )}
        {incident.assignee && ` · ${incident.assignee.name}`}
        {resolveReason && ` · ${endName(resolveReason)}`}
      </p>
    </article>
  );
}

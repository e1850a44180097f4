// In charge of the board of incidents: what is open, what somebody works on, what is over. It changes by itself.

import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { Choice, ChoosePerson, ChooseSource } from '../parts/choose.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { Moment } from '../parts/moment.tsx';
import { type HowMany, More, useShown } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { endName, incidentWords as words } from '../words/quality.ts';
import { number } from '../words.ts';
import { boardOf, filterNames, severities } from './filter.ts';
import {
  IncidentBoard,
  type IncidentCard,
  type IncidentColumn,
  IncidentsChanged,
} from './page.graphql';

const atOnce = 50;
const columns = ['active', 'acknowledged', 'resolved'] as const;

/** The board; its address holds the filters. */
export function IncidentsPage() {
  const view = useAddress();
  const shown = useShown(atOnce);
  const { data, error, refetch, isPlaceholderData } = useAnswer(
    IncidentBoard,
    { ...boardOf(view), first: shown.first },
    { isKept: true },
  );
  useFollow(IncidentsChanged, {}, { renewed: [IncidentBoard.name] });
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
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="board" aria-busy={isPlaceholderData}>
        {columns.map((status) => (
          <section key={status} aria-labelledby={`column-${status}`}>
            <h2 id={`column-${status}`}>
              {words.columns[status]} <i>{data ? number(data[status].totalCount) : '…'}</i>
            </h2>
            {!data && !error && <Waiting lines={5} />}
            {data && <Cards column={data[status]} empty={words.empty[status]} shown={shown} />}
          </section>
        ))}
      </div>
    </Page>
  );
}

interface CardsProps {
  readonly column: IncidentColumn;
  readonly empty: string;
  readonly shown: HowMany;
}

function Cards({ column: { nodes, totalCount }, empty, shown }: CardsProps) {
  const rank = ({ severity }: IncidentCard) => severities.indexOf(severity);
  const isOver = nodes[0]?.status === 'resolved';
  // The worst first among those that wait; what is over is in the order of its end.
  const ordered = isOver ? nodes : nodes.toSorted((a, b) => rank(a) - rank(b));
  return (
    <>
      {nodes.length === 0 && <p className="quiet">{empty}</p>}
      <ul>
        {ordered.map((incident) => (
          <li key={incident.id}>
            <Card incident={incident} />
          </li>
        ))}
      </ul>
      <More shown={shown} has={totalCount > nodes.length} />
    </>
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

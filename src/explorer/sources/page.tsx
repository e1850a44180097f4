// The list of sources: what each brings, how fresh it is, and what ran.

import { Link } from 'wouter';
import { useList } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { feeding, Jobs } from '../jobs/list.tsx';
import { byName } from '../parts/choosing/choosable.ts';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { addressWords } from '../words/addresses.ts';
import { sourceWords as words } from '../words/sources.ts';
import { isLate } from './late.ts';
import { SourceList, type SourceRow } from './page.graphql';
import { Reported } from './reported.tsx';

/** As many as an answer holds, so that all are in the order of their names. */
const sourcesAtOnce = 1_000;
const jobsAtOnce = 10;

/** The page. */
export function SourcesPage() {
  const viewer = useViewer();
  const may = useMay('read_integrations');
  const mayManage = useMay('manage_integrations');
  return (
    <Page
      title={words.title}
      acts={
        mayManage && (
          <Link className="button main" href="/imports/new">
            {words.connect}
          </Link>
        )
      }
    >
      {!viewer && <Waiting lines={8} />}
      {viewer && !may && <p>{words.hidden}</p>}
      {may && (
        <div className="stack">
          <Sources mayManage={mayManage} />
          <Reported />
          <Jobs where={feeding} atOnce={jobsAtOnce} renewed={[SourceList.name]} />
        </div>
      )}
    </Page>
  );
}

function Sources({ mayManage }: { mayManage: boolean }) {
  const { data, nodes, rest, error, refetch } = useList(
    SourceList,
    {},
    { atOnce: sourcesAtOnce, of: ({ integrations }) => integrations },
  );
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={8} />;
  if (nodes.length === 0) {
    return (
      <div className="nothing">
        <p>
          <b>{words.none}</b>
        </p>
        <p className="quiet">{mayManage ? words.noneHow : words.noneForOthers}</p>
      </div>
    );
  }
  return (
    <div>
      <ul className="monitors">
        {byName(nodes).map((source) => (
          <li key={source.id}>
            <Row source={source} />
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </div>
  );
}

function Row({ source }: { source: SourceRow }) {
  const {
    id,
    name,
    typeLabel,
    fedBy,
    undecidedDatabases,
    scheduledExtractionsFrequency: hours,
  } = source;
  const { scheduledExtractionsLastRun: last, scheduledExtractionsNextRun: next } = source;
  return (
    <>
      <span className="of">
        <Link href={`/imports/${id}`}>{name}</Link>
        <small>
          {typeLabel} · {words.holds(source.describedCount, source.ownedCount)}
        </small>
        {undecidedDatabases.length > 0 && (
          <span className="badge warning">
            {addressWords.undecidedCount(undecidedDatabases.length)}
          </span>
        )}
      </span>
      <span className="last wide">
        {last ? (
          <>
            {words.fresh} <Moment at={last} />
          </>
        ) : (
          <span className="badge">{words.neverRead}</span>
        )}{' '}
        {isLate(source) && <span className="badge warning">{words.late}</span>}
        <small>
          {hours !== null ? words.every(hours) : fedBy === 'sync' && words.noSchedule}
          {next && (
            <>
              {' · '}
              {words.next} <Moment at={next} />
            </>
          )}
        </small>
      </span>
    </>
  );
}

// In charge of the list of monitors: those that need somebody first, by filters that the address holds.

import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { useMay } from '../asking/use-viewer.ts';
import { isFilteredBy } from '../parts/filter-bar.tsx';
import { More, useShown } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { filterNames, listOf, statusOf } from './filter.ts';
import { Filters, Tabs } from './filters.tsx';
import { MonitorCounts, MonitorList, type MonitorPart, MonitorsMeasured } from './page.graphql';
import { MonitorRows } from './rows.tsx';

const atOnce = 50;

/** The page. */
export function MonitorsPage() {
  const view = useAddress();
  const shown = useShown(atOnce);
  const mayEdit = useMay('edit_monitors');
  const { data, error, refetch, isPlaceholderData } = useAnswer(
    MonitorList,
    listOf(view, shown.first),
    {
      isKept: true,
    },
  );
  useFollow(MonitorsMeasured, {}, { renewed: [MonitorList.name, MonitorCounts.name] });
  const isFiltered = isFilteredBy(view, filterNames) || statusOf(view) !== null;
  const hasMore = data && [data.urgent, data.others].some(({ pageInfo }) => pageInfo.hasNextPage);
  return (
    <Page title={words.title}>
      {mayEdit && (
        <p className="acts">
          <Link className="button main" href="/monitors/new">
            {words.make}
          </Link>
        </p>
      )}
      <Filters view={view} />
      <Tabs view={view} />
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting lines={12} />}
      <div aria-busy={isPlaceholderData}>
        {data && (
          <>
            <Part title={words.urgent} part={data.urgent} isNamed={statusOf(view) === null} />
            <Part
              title={words.others}
              part={data.others}
              isNamed={data.urgent.nodes.length > 0 && statusOf(view) === null}
            />
          </>
        )}
        {data && data.urgent.totalCount + data.others.totalCount === 0 && (
          <div className="nothing">
            <p>
              <b>{isFiltered ? words.noneHere : words.none}</b>
            </p>
            {!isFiltered && <p className="quiet">{words.noneHow}</p>}
          </div>
        )}
        <More shown={shown} has={hasMore} />
      </div>
    </Page>
  );
}

interface PartProps {
  readonly title: string;
  readonly part: MonitorPart;
  readonly isNamed: boolean;
}

function Part({ title, part, isNamed }: PartProps) {
  if (part.nodes.length === 0) return null;
  return (
    <section className="part">
      <h2 className={isNamed ? '' : 'spoken'}>
        {isNamed ? `${title} (${part.totalCount})` : words.title}
      </h2>
      <MonitorRows monitors={part.nodes} />
    </section>
  );
}

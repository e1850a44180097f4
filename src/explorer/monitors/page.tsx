// The list of monitors: those that need attention first, by filters in the address.

import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { type List, useList } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { useMay } from '../asking/viewer.ts';
import { isFilteredBy } from '../parts/filter-bar.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { number } from '../words.ts';
import { filterNames, listsOf, statusOf } from './filter.ts';
import { Filters, Tabs } from './filters.tsx';
import {
  MonitorCounts,
  MonitorList,
  type MonitorListData,
  type MonitorRow,
  MonitorsMeasured,
} from './page.graphql';
import { MonitorRows } from './rows.tsx';

const atOnce = 50;

/** The page. */
export function MonitorsPage() {
  const view = useAddress();
  const mayEdit = useMay('edit_monitors');
  const isWhole = statusOf(view) === null;
  const asked = listsOf(view);
  const of = ({ monitors }: MonitorListData) => monitors;
  const urgent = useList(MonitorList, asked.urgent, { atOnce, of, isWanted: isWhole });
  const others = useList(MonitorList, asked.others, { atOnce, of });
  useFollow(MonitorsMeasured, {}, { renewed: [MonitorList.name, MonitorCounts.name] });
  const lists = isWhole ? [urgent, others] : [others];
  const failed = lists.find(({ error }) => error !== null);
  const isThere = lists.every(({ data }) => data !== undefined);
  const isEmpty = isThere && lists.every(({ nodes }) => nodes.length === 0);
  const isFiltered = isFilteredBy(view, filterNames) || !isWhole;
  return (
    <Page
      title={words.title}
      acts={
        mayEdit && (
          <Link className="button main" href="/monitors/new">
            {words.make}
          </Link>
        )
      }
    >
      <Filters view={view} />
      <Tabs view={view} />
      {failed && <Problem error={failed.error} again={failed.refetch} />}
      {!isThere && !failed && <Waiting lines={12} />}
      {isThere && (
        <div aria-busy={lists.some(({ isPlaceholderData }) => isPlaceholderData)}>
          {isWhole && <Part title={words.urgent} list={urgent} isNamed />}
          <Part title={words.others} list={others} isNamed={isWhole && urgent.nodes.length > 0} />
          {isEmpty && (
            <div className="nothing">
              <p>
                <b>{isFiltered ? words.noneHere : words.none}</b>
              </p>
              {!isFiltered && <p className="quiet">{words.noneHow}</p>}
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

interface PartProps {
  readonly title: string;
  readonly list: List<MonitorListData, MonitorRow>;
  readonly isNamed: boolean;
}

function Part({ title, list: { data, nodes, rest }, isNamed }: PartProps) {
  if (nodes.length === 0) return null;
  return (
    <section className="part">
      <h2 className={isNamed ? '' : 'spoken'}>
        {isNamed ? `${title} (${number(data?.monitors.totalCount ?? 0)})` : words.title}
      </h2>
      <MonitorRows monitors={nodes} />
      <More rest={rest} />
    </section>
  );
}

// The page of one monitor: what it measured, what it expected and why, and its settings.

import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { useMay } from '../asking/viewer.ts';
import type { Band } from '../chart/scale.ts';
import { MonitorList } from '../monitors/page.graphql';
import { Answered, useTitle } from '../parts/page.tsx';
import { Removing } from '../parts/sure.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { Acts } from './acts.tsx';
import { Edit } from './edit.tsx';
import { Head, isDeclared } from './head.tsx';
import { Incidents } from './incidents.tsx';
import { DeleteMonitor, MonitorMeasured, MonitorPage as Operation } from './page.graphql';
import { Range } from './range.tsx';
import { Segments } from './segments.tsx';
import { Measured } from './series.tsx';
import { type MonitorThere, renewed } from './shown.ts';
import { Why } from './why.tsx';

const days = [7, 30, 90, 365] as const;
const usualDays = 90;
const dayMs = 86_400_000;

/** The page; its address holds the time that the chart shows. */
export function MonitorPage({ id }: { id: string }) {
  const view = useAddress();
  const range = days.find((count) => String(count) === view.one('days')) ?? usualDays;
  // From the beginning of a day, so that it is not asked again with each look.
  const from = useMemo(
    () => new Date(Math.floor(Date.now() / dayMs - range) * dayMs).toISOString(),
    [range],
  );
  const answer = useAnswer(Operation, { id, from }, { isKept: true });
  useFollow(MonitorMeasured, { id }, { renewed: renewed.map(({ name }) => name) });
  return (
    <Answered answer={answer} of="monitor" missing={words.missing} how={words.missingHow}>
      {(data) =>
        data.monitor && (
          <Shown
            monitor={data.monitor}
            range={range}
            from={from}
            setRange={(count) => view.change({ days: String(count) })}
          />
        )
      }
    </Answered>
  );
}

interface ShownProps {
  readonly monitor: MonitorThere;
  readonly range: (typeof days)[number];
  /** When the time begins that is shown. */
  readonly from: string;
  readonly setRange: (days: number) => void;
}

function Shown({ monitor, range, from, setRange }: ShownProps) {
  useTitle(monitor.name);
  const [tried, setTried] = useState<readonly Band[] | null>(null);
  const mayEdit = useMay('edit_monitors');
  return (
    <main className="page" id="main" tabIndex={-1}>
      <Head monitor={monitor} acts={mayEdit && <Acts monitor={monitor} />} />
      <div className="halves">
        <div>
          <section className="sheet">
            <h2>{words.measured}</h2>
            <fieldset className="tabs">
              <legend className="spoken">{words.range}</legend>
              {days.map((count) => (
                <button
                  key={count}
                  type="button"
                  aria-pressed={count === range}
                  onClick={() => setRange(count)}
                >
                  {words.ranges[count]}
                </button>
              ))}
            </fieldset>
            <Measured monitor={monitor} tried={tried} mayEdit={mayEdit} from={from} />
          </section>
          <Segments monitor={monitor} />
          <Incidents id={monitor.id} />
        </div>
        <aside className="sheet aside" aria-label={words.settings}>
          <Why monitor={monitor} />
          <Range monitor={monitor} mayEdit={mayEdit} show={setTried} />
          {mayEdit && <Edit monitor={monitor} />}
          {monitor.target && (
            <section>
              <h2>{words.on}</h2>
              <Link href={`/resource/${monitor.target.id}`}>{monitor.target.titleFull}</Link>
            </section>
          )}
          {mayEdit && !isDeclared(monitor) && (
            <Removing
              label={words.remove}
              of={monitor.name}
              means={words.removeMeans}
              remove={() => ask(DeleteMonitor, { id: monitor.id, version: monitor.version })}
              list="/monitors"
              asks={MonitorList}
            />
          )}
        </aside>
      </div>
    </main>
  );
}

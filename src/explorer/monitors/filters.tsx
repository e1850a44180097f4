// The filters above the list of monitors, and of how many there are of each status.

import { useEffect, useRef, useState } from 'react';
import type { AddressView } from '../asking/address.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { ChoosePerson, ChooseSource } from '../parts/choosing/choose.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { useChosenInSight } from '../window/in-sight.ts';
import { statusName } from '../words/names/statuses.ts';
import { monitorWords as words } from '../words/quality.ts';
import { number } from '../words.ts';
import { countsOf, filterNames, statuses, statusOf } from './filter.ts';
import { MonitorCounts } from './page.graphql';

const pauseMs = 200;

/** By words, owner and source. */
export function Filters({ view }: { view: AddressView }) {
  return (
    <FilterBar
      label={words.filters}
      clear={words.clear}
      view={view}
      names={[...filterNames, 'status']}
    >
      <FindField view={view} />
      <ChoosePerson
        label={words.owner}
        none={words.anybody}
        me={words.me}
        value={view.one('owner')}
        choose={(owner) => view.change({ owner })}
      />
      <ChooseSource
        label={words.source}
        none={words.anySource}
        value={view.one('source')}
        choose={(source) => view.change({ source })}
      />
    </FilterBar>
  );
}

function FindField({ view }: { view: AddressView }) {
  const [text, setText] = useState(view.one('q'));
  const timer = useRef(0);
  const asked = view.one('q');
  // The address may change by itself, as when the filters are cleared.
  useEffect(() => setText((now) => (now.trim() === asked ? now : asked)), [asked]);
  const write = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => view.change({ q: value.trim() }), pauseMs);
  };
  return (
    <label className="choice">
      <span>{words.find}</span>
      <input
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
    </label>
  );
}

/** By status, with how many there are of each. */
export function Tabs({ view }: { view: AddressView }) {
  const { data } = useAnswer(MonitorCounts, countsOf(view), { isKept: true });
  const now = statusOf(view);
  const around = useChosenInSight<HTMLFieldSetElement>(now ?? '');
  return (
    <fieldset ref={around} className="tabs">
      <legend className="spoken">{words.tabs}</legend>
      {(['all', ...statuses] as const).map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === (now ?? 'all')}
          onClick={() => view.change({ status: status === 'all' ? null : status })}
        >
          {status === 'all' ? words.all : statusName(status)}{' '}
          <i>{data ? number(data[status].totalCount) : '…'}</i>
        </button>
      ))}
    </fieldset>
  );
}

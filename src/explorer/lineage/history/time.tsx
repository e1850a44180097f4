// The time of the picture: a slider over the moments at which it changed, and what to compare with.

import { useEffect, useState } from 'react';
import type { AddressView } from '../../asking/address.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import { Menu } from '../../parts/menu.tsx';
import { lineageWords as words } from '../../words/lineage.ts';
import { LineageMoments } from '../page.graphql';
import { timeIn } from './time-in.ts';

/** While a slider moves, the picture waits this long for it to rest. */
const restMs = 200;
/** Moments to choose from when comparing, the newest. */
const mostChoices = 100;

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const says = (at: string) => exact.format(new Date(at));

interface TimeProps {
  readonly id: string;
  readonly depth: number;
  readonly view: AddressView;
}

/** What opens on a click; the moments are asked for then. */
export function Time({ id, depth, view }: TimeProps) {
  const [isOpen, setOpen] = useState(false);
  const asOf = timeIn(view.one('asOf'));
  const since = timeIn(view.one('since'));
  const { data } = useAnswer(LineageMoments, { from: [id], depth }, { isWanted: isOpen });
  const when = asOf === null ? words.now : says(asOf);
  const name = `${words.time}: ${when}${since === null ? '' : words.since(says(since))}`;
  return (
    <Menu className="choices time" says={name} onToggle={setOpen}>
      <fieldset>
        <legend className="spoken">{words.time}</legend>
        {data && <Stops moments={data.lineageMoments ?? []} view={view} />}
        <label>
          {words.endOfDay}{' '}
          <input
            type="date"
            value={view.one('asOf').slice(0, 10)}
            max={new Date().toISOString().slice(0, 10)}
            onChange={({ currentTarget }) => view.change({ asOf: currentTarget.value })}
          />
        </label>
      </fieldset>
    </Menu>
  );
}

interface StopsProps {
  /** When the picture changed, oldest first. */
  readonly moments: readonly string[];
  readonly view: AddressView;
}

function Stops({ moments, view }: StopsProps) {
  const asOf = timeIn(view.one('asOf'));
  const shown = asOf === null ? moments.length : stopAt(moments, asOf);
  /** Where the slider was moved to; null once the picture is of that time. */
  const [moved, setMoved] = useState<number | null>(null);
  const at = moved ?? shown;
  useEffect(() => {
    if (moved === null) return undefined;
    if (moved === shown) return setMoved(null);
    const later = setTimeout(() => view.change({ asOf: moments[moved] ?? null }), restMs);
    return () => clearTimeout(later);
  }, [moved, shown, moments, view]);
  if (moments.length === 0) return <p className="quiet">{words.noMoments}</p>;
  const said = at >= moments.length ? words.now : says(moments[at] ?? '');
  const before = moments.slice(0, at).slice(-mostChoices).reverse();
  return (
    <>
      <label>
        {words.when}{' '}
        <input
          type="range"
          min={0}
          max={moments.length}
          value={at}
          aria-valuetext={said}
          onChange={({ currentTarget }) => setMoved(Number(currentTarget.value))}
        />
      </label>
      <output>{said}</output>
      <label>
        {words.changesSince}{' '}
        <select
          value={before.includes(view.one('since')) ? view.one('since') : ''}
          onChange={({ currentTarget }) => view.change({ since: currentTarget.value })}
        >
          <option value="">{words.noChanges}</option>
          {before.map((moment) => (
            <option key={moment} value={moment}>
              {says(moment)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** The last moment that is not after a time; the first where all are. */
function stopAt(moments: readonly string[], time: string): number {
  const after = moments.findIndex((moment) => Date.parse(moment) > Date.parse(time));
  return Math.max(0, (after < 0 ? moments.length : after) - 1);
}

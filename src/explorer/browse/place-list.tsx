// What lies in a place: narrowed, sorted, and edited together.

import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { TagsToChoose } from '../asking/choices.graphql';
import { notify } from '../asking/undo.ts';
import { useAnswer, useList } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { Menu } from '../parts/menu.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { browseWords as words } from '../words/browse.ts';
import { Bulk } from './bulk.tsx';
import { type ColumnName, columnNames, keepColumns, readColumns } from './columns.ts';
import type { Edited, Failure } from './edits.ts';
import { List } from './list.tsx';
import { BrowseList, type BrowseListData } from './page.graphql';
import { type BrowsedPlace, type BrowseFilter, healthNames, listedAt, orderIn } from './place.ts';
import { useSelection } from './selection.ts';

const atOnce = 100;
const of = ({ resources }: BrowseListData) => resources;

interface PlaceListProps {
  readonly place: BrowsedPlace;
  /** The kind of a resource; absent where the place is none. */
  readonly kind: string | undefined;
}

/** The filters, the list, and the bar of what is selected. */
export function PlaceList({ place, kind }: PlaceListProps) {
  const [path, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch());
  const me = useViewer()?.id ?? '';
  const filter: BrowseFilter = {
    name: asked.get('name') ?? '',
    owner: asked.get('owner') ?? '',
    tag: asked.get('tag') ?? '',
    health: asked.get('health') ?? '',
  };
  const order = orderIn(asked.get('sort'));
  const set = (changes: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(asked);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true });
  };
  const { data, nodes, rest, error, refetch } = useList(
    BrowseList,
    {
      ...listedAt(place, kind, filter, me),
      orderBy: [{ [order.by]: order.isDown ? ('desc' as const) : ('asc' as const) }],
    },
    { atOnce, of, isWanted: filter.owner !== 'me' || me !== '' },
  );
  const selection = useSelection(nodes.map(({ id }) => id));
  const [columns, setColumns] = useState(readColumns);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const done = (says: string, { done: count, failed, isJob, undo }: Edited) => {
    setFailures(failed);
    selection.set(failed.map(({ id }) => id));
    const undone = undo && {
      undo: async () => {
        await undo();
        refetch();
      },
    };
    notify({ says: isJob ? words.inJob : words.edited(says, count, failed.length), ...undone });
  };
  const selected = nodes.filter(({ id }) => selection.ids.has(id));
  return (
    <section aria-label={words.list}>
      <Filters filter={filter} set={set} columns={columns} choose={setColumns} />
      {error && <Problem error={error} again={refetch} />}
      {!data && !error && <Waiting lines={10} />}
      {data && nodes.length === 0 && (
        <Nothing isNarrowed={Object.values(filter).some((one) => one !== '')} place={place} />
      )}
      {nodes.length > 0 && (
        <List
          rows={nodes}
          columns={columns}
          selection={selection}
          failures={failures}
          order={order}
          sort={(by) => {
            const isDown = order.by === by ? !order.isDown : by !== 'title';
            set({ sort: `${isDown ? '-' : ''}${by}` });
          }}
        />
      )}
      <More rest={rest} />
      {selected.length > 0 && (
        <Bulk
          rows={selected}
          clear={() => selection.set([])}
          done={done}
          failed={(error) => notify({ error })}
        />
      )}
    </section>
  );
}

/** Nothing matches, or nothing is there yet and a source would bring it. */
function Nothing({ isNarrowed, place }: { isNarrowed: boolean; place: BrowsedPlace }) {
  const mayConnect = useMay('manage_integrations');
  if (isNarrowed) return <p className="quiet">{words.none}</p>;
  return (
    <div className="nothing">
      <p>
        <b>{words.empty}</b>
      </p>
      {place.is === 'all' && <p className="quiet">{words.emptyHow}</p>}
      {place.is === 'all' && mayConnect && (
        <p className="acts">
          <Link className="button main" href="/imports/new">
            {words.connect}
          </Link>
        </p>
      )}
    </div>
  );
}

interface FiltersProps {
  readonly filter: BrowseFilter;
  readonly set: (changes: Readonly<Record<string, string>>) => void;
  readonly columns: readonly ColumnName[];
  readonly choose: (columns: readonly ColumnName[]) => void;
}

function Filters({ filter, set, columns, choose }: FiltersProps) {
  const tags = useAnswer(TagsToChoose, {}).data?.tags.nodes ?? [];
  const mayMonitor = useMay('edit_monitors');
  const healths = healthNames.filter((name) => mayMonitor || name !== 'unmonitored');
  return (
    <div className="browse-filters">
      <input
        type="search"
        defaultValue={filter.name}
        maxLength={200}
        autoComplete="off"
        aria-label={words.filterName}
        placeholder={words.filterName}
        onChange={({ currentTarget }) => set({ name: currentTarget.value.trim() })}
      />
      <Select
        label={words.owner}
        value={filter.owner}
        set={(owner) => set({ owner })}
        options={[
          ['me', words.mine],
          ['none', words.noOwner],
        ]}
      />
      <Select
        label={words.tag}
        value={filter.tag}
        set={(tag) => set({ tag })}
        options={tags.map(({ id, name }) => [id, name])}
      />
      <Select
        label={words.health}
        value={filter.health}
        set={(health) => set({ health })}
        options={healths.map((name) => [name, words.healths[name]])}
      />
      <Menu className="columns-of-list" says={words.chooseColumns}>
        <fieldset className="pop">
          <legend className="spoken">{words.chooseColumns}</legend>
          {columnNames.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={columns.includes(name)}
                onChange={({ currentTarget }) => {
                  const next = columnNames.filter((one) =>
                    one === name ? currentTarget.checked : columns.includes(one),
                  );
                  keepColumns(next);
                  choose(next);
                }}
              />{' '}
              {words.columns[name]}
            </label>
          ))}
        </fieldset>
      </Menu>
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly options: readonly (readonly [string, string])[];
}

function Select({ label, value, set, options }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      className={value === '' ? '' : 'set'}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      <option value="">{label}</option>
      {options.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

// List of what lies in a place: with columns of one's choice, and rows that can be selected.

import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { Link } from 'wouter';
import { Avatar } from '../parts/avatar.tsx';
import { DeprecatedMark } from '../parts/badges.tsx';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { browseWords as words } from '../words/browse.ts';
import { kindName, number } from '../words.ts';
import type { ColumnName } from './columns.ts';
import type { Failure } from './edits.ts';
import type { BrowsedRow, BrowseSort } from './place.ts';
import type { Selection } from './selection.ts';

interface ListProps {
  readonly rows: readonly BrowsedRow[];
  readonly columns: readonly ColumnName[];
  readonly selection: Selection;
  readonly failures: readonly Failure[];
  readonly order: { readonly by: BrowseSort; readonly isDown: boolean };
  readonly sort: (by: BrowseSort) => void;
}

const sortOf: Readonly<Partial<Record<ColumnName, BrowseSort>>> = {
  freshness: 'externalUpdatedAt',
  uses: 'totalUsage',
  changed: 'updatedAt',
};

/** The table. `j` and `k` or the arrows move, `x` selects, Enter opens, Escape clears. */
export function List({ rows, columns, selection, failures, order, sort }: ListProps) {
  const table = useRef<HTMLTableElement>(null);
  const isAll = rows.length > 0 && rows.every(({ id }) => selection.ids.has(id));
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return selection.set([]);
    const links = [...(table.current?.querySelectorAll<HTMLElement>('tbody a.name') ?? [])];
    const at = links.findIndex((link) => link.closest('tr')?.matches(':focus-within'));
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    const row = rows[at];
    if (step !== undefined) {
      links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
      const next = rows[at + step];
      if (event.shiftKey && next) selection.toggle(next.id, true);
    } else if (row && isToggle(event)) selection.toggle(row.id, event.shiftKey);
    else return undefined;
    event.preventDefault();
    return undefined;
  };
  const head = (name: string, by: BrowseSort | undefined, key: string) => (
    <th key={key} scope="col" aria-sort={sortSaid(by, order)}>
      {by ? (
        <button type="button" onClick={() => sort(by)}>
          {name}
          {order.by === by && <span aria-hidden="true">{order.isDown ? ' ↓' : ' ↑'}</span>}
        </button>
      ) : (
        name
      )}
    </th>
  );
  return (
    <div className="browsed">
      <table ref={table} onKeyDown={press}>
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label={words.selectAll(rows.length)}
                checked={isAll}
                ref={(box) => {
                  if (box) box.indeterminate = !isAll && selection.ids.size > 0;
                }}
                onChange={() => selection.set(isAll ? [] : rows.map(({ id }) => id))}
              />
            </th>
            {head(words.name, 'title', 'name')}
            {columns.map((name) => head(words.columns[name], sortOf[name], name))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              columns={columns}
              isSelected={selection.ids.has(row.id)}
              failure={failures.find(({ id }) => id === row.id)}
              toggle={(isRange) => selection.toggle(row.id, isRange)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isToggle({ key, target }: KeyboardEvent): boolean {
  // A box toggles by itself.
  return key === 'x' || key === 'X' || (key === ' ' && !(target instanceof HTMLInputElement));
}

function sortSaid(
  by: BrowseSort | undefined,
  order: ListProps['order'],
): 'ascending' | 'descending' | undefined {
  if (by !== order.by) return undefined;
  return order.isDown ? 'descending' : 'ascending';
}

interface RowProps {
  readonly row: BrowsedRow;
  readonly columns: readonly ColumnName[];
  readonly isSelected: boolean;
  readonly failure: Failure | undefined;
  readonly toggle: (isRange: boolean) => void;
}

function Row({ row, columns, isSelected, failure, toggle }: RowProps) {
  const { id, kind, title, description, deprecation } = row;
  return (
    <tr className={isSelected ? 'on' : ''}>
      <td>
        <input
          type="checkbox"
          aria-label={words.select(title)}
          checked={isSelected}
          onClick={({ shiftKey }: MouseEvent) => toggle(shiftKey)}
          onChange={() => {}}
        />
      </td>
      <td>
        <div className="named">
          <Chip kind={kind} />
          <span>
            <Link className="name" href={`/resource/${id}`}>
              <bdi>{title}</bdi>
            </Link>
            <DeprecatedMark of={deprecation} />
            <small>
              <span className="spoken">{kindName(kind)} </span>
              {placeOf(row)}
              {description && ` · ${description}`}
            </small>
            {failure && (
              <small className="failed" role="alert">
                {failure.message}
              </small>
            )}
          </span>
        </div>
      </td>
      {columns.map((name) => (
        <td key={name} className={name} data-name={words.columns[name]}>
          {cells[name](row)}
        </td>
      ))}
    </tr>
  );
}

function Tags({ list }: { list: readonly { id: string; name: string }[] }) {
  return list.map(({ id, name }) => (
    <span key={id} className="badge">
      {name}
    </span>
  ));
}

/** What stands in each column. */
const cells = {
  owners: ({ owners, ownerGroups }: BrowsedRow) => <Owners owners={owners} groups={ownerGroups} />,
  tags: ({ tags }: BrowsedRow) => <Tags list={tags} />,
  teams: ({ teams }: BrowsedRow) => teams.map(({ name }) => name).join(', '),
  verified: ({ verified }: BrowsedRow) =>
    verified && <span className="badge good">{words.isVerified}</span>,
  freshness: ({ externalUpdatedAt: at }: BrowsedRow) => at && <Moment at={at} />,
  uses: ({ totalUsage }: BrowsedRow) => number(totalUsage),
  changed: ({ updatedAt }: BrowsedRow) => <Moment at={updatedAt} />,
} as const;

function Owners({
  owners,
  groups,
}: {
  owners: BrowsedRow['owners'];
  groups: BrowsedRow['ownerGroups'];
}) {
  const count = owners.length + groups.length;
  if (count === 0) return <span className="quiet">{words.noOwner}</span>;
  const names = [...groups, ...owners].map(({ name }) => name).join(', ');
  return (
    <span className="owners-shown" title={names}>
      {groups.map(({ id, name }) => (
        <Avatar key={id} name={name} isGroup />
      ))}
      {owners.map(({ id, name }) => (
        <Avatar key={id} name={name} />
      ))}
      <span className={count === 1 ? '' : 'spoken'}>{names}</span>
    </span>
  );
}

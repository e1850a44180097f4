// In charge of the columns of a table.

import { useState } from 'react';
import { Link } from 'wouter';
import { type HowMany, More } from '../parts/more.tsx';
import { words } from '../words.ts';
import { ColumnSides, type Sides, useColumnLineage } from './column-lineage.tsx';
import type { ColumnRow } from './page.graphql';

/** From here on a person wants to find one by its name. */
const many = 12;

interface ColumnsProps {
  readonly table: {
    readonly id: string;
    /** How many columns it has. */
    readonly childrenCount: number;
    readonly columns: readonly ColumnRow[];
  };
  readonly shown: HowMany;
}

/** The columns, in their order, with a field to find one in many. */
export function Columns({ table, shown }: ColumnsProps) {
  const { id, childrenCount, columns } = table;
  const { sides, isCut } = useColumnLineage(id);
  const [part, setPart] = useState('');
  if (columns.length === 0) return null;
  const found = columns.filter(({ title }) => title.toLowerCase().includes(part.toLowerCase()));
  return (
    <section className="sheet columns">
      <h2>{words.resource.columns(Math.max(childrenCount, columns.length))}</h2>
      {isCut && <p className="quiet">{words.resource.sidesCut}</p>}
      {columns.length > many && (
        <input
          type="search"
          aria-label={words.resource.findColumn}
          placeholder={words.resource.findColumn}
          value={part}
          onChange={({ currentTarget }) => setPart(currentTarget.value)}
        />
      )}
      <table>
        <thead>
          <tr>
            <th>{words.resource.columnName}</th>
            <th>{words.resource.columnType}</th>
            <th>{words.resource.columnLineage}</th>
            <th>{words.resource.columnText}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((column) => (
            <Row key={column.id} column={column} sides={sides} />
          ))}
        </tbody>
      </table>
      <More shown={shown} has={childrenCount > columns.length} />
    </section>
  );
}

function Row({ column, sides }: { column: ColumnRow; sides: Sides }) {
  const { id, title, type, isPk, pii, description, tags } = column;
  return (
    <tr>
      <td>
        <Link href={`/resource/${id}`}>{title}</Link>
      </td>
      <td>
        <code>{(type ?? '').toLowerCase()}</code>
      </td>
      <td>
        <ColumnSides id={id} sides={sides} />
      </td>
      <td>
        {description} {isPk && <span className="badge">{words.resource.keyColumn}</span>}{' '}
        {pii && <span className="badge">{words.pii}</span>}{' '}
        {tags.map((tag) => (
          <span key={tag.id} className="badge">
            {tag.name}
          </span>
        ))}
      </td>
    </tr>
  );
}

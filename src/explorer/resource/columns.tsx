// In charge of the columns of a table.

import { useState } from 'react';
import { Link } from 'wouter';
import { words } from '../words.ts';
import { ColumnSides, type Sides, useColumnLineage } from './column-lineage.tsx';
import type { ColumnRow } from './page.graphql';

/** As many as the page asks for. */
const asked = 300;
/** From here on a person wants to find one by its name. */
const many = 12;

interface ColumnsProps {
  readonly tableId: string;
  readonly columns: readonly ColumnRow[];
}

/** The columns, in their order, with a field to find one in many. */
export function Columns({ tableId, columns }: ColumnsProps) {
  const sides = useColumnLineage(tableId);
  const [part, setPart] = useState('');
  if (columns.length === 0) return null;
  const shown = columns.filter(({ title }) => title.toLowerCase().includes(part.toLowerCase()));
  return (
    <section className="sheet columns">
      <h2>{words.resource.columns(columns.length)}</h2>
      {columns.length === asked && (
        <p className="quiet">{words.resource.columnsCut(columns.length)}</p>
      )}
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
          {shown.map((column) => (
            <Row key={column.id} column={column} sides={sides} />
          ))}
        </tbody>
      </table>
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

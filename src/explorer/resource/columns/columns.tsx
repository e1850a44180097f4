// The columns of a table.

import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useList } from '../../asking/use-answer.ts';
import { DeprecatedMark } from '../../parts/badges.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { More } from '../../parts/more.tsx';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { resourceWords } from '../../words/resource.ts';
import { words } from '../../words.ts';
import { type ColumnRow, ColumnsFound } from '../page.graphql';
import { useAllColumns } from './all-columns.ts';
import { ColumnSides, type Sides, useColumnLineage } from './column-lineage.tsx';
import { type DescribingAll, useDescribeAll } from './describe-all.ts';
import { Description } from './description.tsx';
import { type ColumnAt, inOrder } from './nested-columns.ts';

/** From here on a person wants to find one by its name. */
const many = 12;
const foundAtOnce = 50;

type NestedRow = ColumnRow & { readonly parentId: string | null };

interface Key {
  readonly columns: readonly string[];
  readonly refersTo: { readonly table: string; readonly columns: readonly string[] } | null;
}

interface ColumnsProps {
  readonly table: {
    readonly id: string;
    /** How many columns it has. */
    readonly childrenCount: number;
    readonly columns: readonly ColumnRow[];
    /** Those that lie in other columns, each behind its parent. */
    readonly nestedColumns: readonly NestedRow[];
    readonly keys: readonly Key[];
    readonly currentUserPermissions: { readonly write: boolean };
  };
}

/** The columns, in their order, with a field to find one in many. */
export function Columns({ table }: ColumnsProps) {
  const { id, childrenCount } = table;
  const { columns, rest } = useAllColumns(table);
  const { sides, isCut } = useColumnLineage(id);
  const [part, setPart] = useState('');
  const found = useFound({ ...table, columns }, part.trim());
  const { all, open } = useDescribeAll([
    ...columns,
    ...table.nestedColumns,
    ...(found?.nodes ?? []),
  ]);
  const around = useFocusBetween(all !== null);
  if (columns.length === 0) return null;
  const shown = found ? found.nodes.map(alone) : inOrder(columns, table.nestedColumns);
  const rows = <Rows shown={shown} {...{ table, sides, all }} />;
  return (
    <section className="sheet columns" ref={around}>
      <header className="columns-head">
        <h2>{words.resource.columns(Math.max(childrenCount, columns.length))}</h2>
        {columns.length > many && (
          <input
            type="search"
            aria-label={words.resource.findColumn}
            placeholder={words.resource.findColumn}
            value={part}
            maxLength={200}
            onChange={({ currentTarget }) => setPart(currentTarget.value)}
          />
        )}
        {table.currentUserPermissions.write && !all && (
          <button type="button" data-edit-all onClick={open}>
            {resourceWords.editAll}
          </button>
        )}
      </header>
      {isCut && <p className="quiet">{words.resource.sidesCut}</p>}
      {found?.error && <Problem error={found.error} again={found.refetch} />}
      {all ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            all.save();
          }}
        >
          {rows}
          <FormActs says={resourceWords.saveAll} isOff={all.isSaving} close={all.leave} />
        </form>
      ) : (
        rows
      )}
      <More rest={found?.rest ?? rest} />
      {!found && !rest.has && childrenCount > columns.length && (
        <p className="quiet">{words.resource.otherColumns(columns.length)}</p>
      )}
    </section>
  );
}

/** The keyboard goes on in the first of the fields that opened, and at their button once they are closed. */
function useFocusBetween(isOpen: boolean): RefObject<HTMLElement | null> {
  const around = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const to = isOpen ? 'textarea' : '[data-edit-all]';
    around.current?.querySelector<HTMLElement>(to)?.focus();
  }, [isOpen]);
  return around;
}

interface RowsProps extends ColumnsProps {
  readonly shown: readonly ColumnAt<ColumnRow>[];
  readonly sides: Sides;
  readonly all: DescribingAll | null;
}

function Rows({ shown, ...props }: RowsProps) {
  return (
    <table>
      <thead>
        <tr>
          <th>{words.resource.columnName}</th>
          <th>{words.resource.columnType}</th>
          <th>{words.resource.columnText}</th>
          <th>{words.resource.columnLineage}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((placed) => (
          <Row key={placed.column.id} {...placed} {...props} />
        ))}
      </tbody>
    </table>
  );
}

const alone = (column: ColumnRow): ColumnAt<ColumnRow> => ({ column, depth: 0 });

/** The columns whose names have a part; null where none is asked for. Those not shown yet are found as well. */
function useFound(
  { id, childrenCount, columns, nestedColumns }: ColumnsProps['table'],
  part: string,
) {
  const isShort = childrenCount <= columns.length;
  const asked = useList(
    ColumnsFound,
    { id, part },
    {
      atOnce: foundAtOnce,
      of: ({ resources }) => resources,
      isWanted: part !== '' && !isShort,
    },
  );
  if (part === '') return null;
  const isNamed = ({ title }: ColumnRow) => title.toLowerCase().includes(part.toLowerCase());
  if (!isShort) return { ...asked, nodes: [...asked.nodes, ...nestedColumns.filter(isNamed)] };
  return { ...asked, nodes: [...columns, ...nestedColumns].filter(isNamed) };
}

/** The columns of other tables to which foreign keys lead from a column at the top of a table. */
const targetsOf = (title: string, keys: readonly Key[]) =>
  keys.flatMap(({ columns, refersTo }) => {
    const target = refersTo?.columns[columns.indexOf(title)];
    return refersTo && target !== undefined ? [`${refersTo.table}.${target}`] : [];
  });

type RowProps = ColumnAt<ColumnRow> & Omit<RowsProps, 'shown'>;

function Row({ column, depth, sides, table, all }: RowProps) {
  const { id, title, type, isPk, isNullable, pii, deprecation, tags } = column;
  return (
    <tr>
      <td style={depth > 0 ? { paddingInlineStart: `${depth * 1.25}rem` } : undefined}>
        <Link href={`/resource/${id}`}>{title}</Link>
        {isPk && <span className="badge">{words.resource.keyColumn}</span>}
      </td>
      <td>
        <code>{(type ?? '').toLowerCase()}</code>
      </td>
      <td>
        {all ? (
          <Field column={column} all={all} />
        ) : (
          <Description
            column={column}
            mayWrite={table.currentUserPermissions.write}
            suggestion={sides.get(id)?.suggestion ?? null}
          />
        )}{' '}
        {isNullable === false && !isPk && <span className="badge">{words.resource.notNull}</span>}{' '}
        {(depth === 0 ? targetsOf(title, table.keys) : []).map((target) => (
          <span key={target} className="badge">
            {words.resource.refersTo(target)}
          </span>
        ))}{' '}
        <DeprecatedMark of={deprecation} /> {pii && <span className="badge">{words.pii}</span>}{' '}
        {tags.map((tag) => (
          <span key={tag.id} className="badge">
            {tag.name}
          </span>
        ))}
      </td>
      <td>
        <ColumnSides id={id} tableId={table.id} sides={sides} />
      </td>
    </tr>
  );
}

function Field({ column, all }: { column: ColumnRow; all: DescribingAll }) {
  const error = all.errorOf(column.id);
  return (
    <>
      <textarea
        aria-label={resourceWords.columnDescription(column.title)}
        rows={1}
        dir="auto"
        value={all.textOf(column)}
        onChange={({ currentTarget }) => all.write(column, currentTarget.value)}
      />
      {all.isOvertaken(column) ? (
        <Overtaken take={() => all.drop(column.id)}>{column.description}</Overtaken>
      ) : (
        error !== undefined && <Problem error={error} />
      )}
    </>
  );
}

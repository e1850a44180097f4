// Columns that lie in other columns, as fields of structs do.

interface Nested {
  readonly id: string;
  readonly parentId: string | null;
}

/** A column, and in how many others it lies. */
export interface ColumnAt<Column> {
  readonly column: Column;
  readonly depth: number;
}

/** Each column with those that lie in it behind it. */
export function inOrder<Column extends { readonly id: string }>(
  columns: readonly Column[],
  nested: readonly (Column & Nested)[],
): ColumnAt<Column>[] {
  const within = Map.groupBy(nested, ({ parentId }) => parentId);
  const placed = (column: Column, depth: number): ColumnAt<Column>[] => [
    { column, depth },
    ...(within.get(column.id) ?? []).flatMap((field) => placed(field, depth + 1)),
  ];
  return columns.flatMap((column) => placed(column, 0));
}

// The address of the lineage of a column.

/** The picture of its table, with nothing but the path of the column in it. */
export function lineageOfColumn(tableId: string, id: string): string {
  return `/lineage/${tableId}?level=column&chosen=${id}&only=1`;
}

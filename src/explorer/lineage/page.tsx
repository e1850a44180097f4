// In charge of the lineage page.
export function LineagePage({ id }: { id: string }) {
  return <main className="page">{id}</main>;
}

// The lineage of a table as a picture: a column of boxes for each step, and a line for each edge.

export interface LineageData {
  readonly nodes: readonly {
    readonly depth: number;
    readonly direction: string;
    readonly resource: { readonly id: string; readonly title: string; readonly kind: string };
  }[];
  readonly edges: readonly { readonly sourceId: string; readonly targetId: string }[];
}

const box = { width: 180, height: 44, right: 90, below: 16 };

/** The start in the middle, what it comes from on its left, what depends on it on its right. */
export function Picture({ nodes, edges }: LineageData) {
  const columnOf = (node: LineageData['nodes'][number]) =>
    node.direction === 'UPSTREAM' ? -node.depth : node.depth;
  const first = Math.min(0, ...nodes.map(columnOf));
  const filled = new Map<number, number>();
  const places = new Map(
    nodes.map((node) => {
      const column = columnOf(node) - first;
      const row = filled.get(column) ?? 0;
      filled.set(column, row + 1);
      const x = column * (box.width + box.right);
      return [node.resource.id, { x, y: row * (box.height + box.below) }] as const;
    }),
  );
  const width = filled.size * (box.width + box.right);
  const height = Math.max(1, ...filled.values()) * (box.height + box.below);
  return (
    <svg role="img" aria-label="Lineage" viewBox={`-4 -4 ${width} ${height}`} width={width}>
      {edges.map(({ sourceId, targetId }) => {
        const [from, to] = [places.get(sourceId), places.get(targetId)];
        if (!from || !to) return null;
        const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
        const [x2, y2] = [to.x, to.y + box.height / 2];
        const half = (x1 + x2) / 2;
        const path = `M${x1},${y1} C${half},${y1} ${half},${y2} ${x2},${y2}`;
        return <path key={`${sourceId} ${targetId}`} d={path} fill="none" stroke="#8a94a6" />;
      })}
      {nodes.map(({ resource }) => {
        const { x = 0, y = 0 } = places.get(resource.id) ?? {};
        return (
          <g key={resource.id} transform={`translate(${x} ${y})`}>
            <rect {...box} rx="6" fill="#fff" stroke="#2b6cb0" />
            <text x="10" y="18" fontSize="11" fill="#5b6472">
              {resource.kind}
            </text>
            <text x="10" y="34" fontSize="13">
              {resource.title}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

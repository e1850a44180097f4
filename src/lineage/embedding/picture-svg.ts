// The lineage around a resource as an SVG: a column of boxes for each step, and a line for each edge.

import { escapedText } from '../../text/html.ts';

/** A box. */
export interface PictureBox {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  /** Steps from the start: negative for what it comes from. */
  readonly column: number;
}

/** A line between two boxes. */
export interface PictureLine {
  readonly sourceId: string;
  readonly targetId: string;
}

const box = { width: 190, height: 46, right: 80, below: 14 };
const margin = 8;
const longestTitle = 24;

/** The picture as text. Everything that people wrote is escaped, and a box leads to the page of its resource. */
export function pictureSvg(boxes: readonly PictureBox[], lines: readonly PictureLine[]): string {
  const columns = [...new Set(boxes.map(({ column }) => column))].sort((a, b) => a - b);
  const filled = new Map<number, number>();
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const { id, column } of boxes) {
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    const x = margin + columns.indexOf(column) * (box.width + box.right);
    places.set(id, { x, y: margin + row * (box.height + box.below) });
  }
  const width = columns.length * (box.width + box.right) - box.right + 2 * margin;
  const height = Math.max(1, ...filled.values()) * (box.height + box.below) + 2 * margin;
  const drawn = [
    ...lines.flatMap(({ sourceId, targetId }) => {
      const [from, to] = [places.get(sourceId), places.get(targetId)];
      return from && to ? curve(from, to) : [];
    }),
    ...boxes.flatMap((one) => {
      const place = places.get(one.id);
      return place ? drawnBox(one, place) : [];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Lineage" width="${width}" height="${height}"
 viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">\n${drawn.join('\n')}\n</svg>`;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function curve(from: Place, to: Place): string {
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const [x2, y2] = [to.x, to.y + box.height / 2];
  const half = (x1 + x2) / 2;
  return `<path d="M${x1},${y1} C${half},${y1} ${half},${y2} ${x2},${y2}" fill="none" stroke="#8a94a6"/>`;
}

function drawnBox({ id, title, kind, column }: PictureBox, { x, y }: Place): string {
  const cut = title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title;
  return `<a href="/lineage/${id}" target="_blank" rel="noopener"><g transform="translate(${x} ${y})">
<title>${escapedText(title)}</title>
<rect width="${box.width}" height="${box.height}" rx="6" fill="${column === 0 ? '#ebf4ff' : '#fff'}" stroke="#2b6cb0"/>
<text x="10" y="18" font-size="11" fill="#5b6472">${escapedText(kind)}</text>
<text x="10" y="35" font-size="13" fill="#1a202c">${escapedText(cut)}</text></g></a>`;
}

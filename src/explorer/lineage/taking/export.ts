// Exports the picture as SVG, as PNG made from that, and its lines as CSV.

import { csvOf, saveFile } from '../../window/save-file.ts';
import { bendOf, dashes } from '../drawing/draw.ts';
import type { Point } from '../layout/layout.ts';
import { type Model, namedLines, size } from '../model.ts';
import { kindColor, leadsBack, type Placed, type Scene, type Way } from '../scene.ts';

const margin = 40;
/** What browsers draw at most on a canvas, a side. */
const mostPixels = 16_384;
/** Pixels of a PNG for one of the page. */
const sharpness = 2;

/** How large the picture is, in pixels. */
function extentOf({ cards, ways }: Scene) {
  const right = cards.reduce((most, { card, x }) => Math.max(most, x + card.width), 0);
  const lowest = ways.flatMap(({ points }) => points).reduce((most, { y }) => Math.max(most, y), 0);
  const bottom = cards.reduce((most, { card, y }) => Math.max(most, y + card.height), lowest);
  return { width: Math.ceil(right + 2 * margin), height: Math.ceil(bottom + 2 * margin) };
}

/** The picture as the text of an SVG file. */
export function svgOf(scene: Scene): string {
  const { width, height } = extentOf(scene);
  const color = (name: string) => scene.colors.get(name) ?? 'gray';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-margin} ${-margin} ${width} ${height}" font-family="sans-serif">`,
    `<rect x="${-margin}" y="${-margin}" width="${width}" height="${height}" fill="${color('page')}"/>`,
    `<g fill="none" stroke="${color('line')}">${scene.ways.map((way) => courseOf(way, color)).join('')}</g>`,
    ...scene.cards.map((placed) => cardOf(placed, scene, color)),
    '</svg>',
  ].join('\n');
}

function courseOf(
  { points, isIndirect, change, width }: Way,
  color: (name: string) => string,
): string {
  const isBack = leadsBack(points);
  let from: Point | undefined;
  const parts = points.map((to) => {
    const last = from;
    from = to;
    if (!last) return `M${round(to)}`;
    if (isBack) return `L${round(to)}`;
    const bend = bendOf(last, to);
    const [one, two] = [
      { x: last.x + bend, y: last.y },
      { x: to.x - bend, y: to.y },
    ];
    return `C${round(one)} ${round(two)} ${round(to)}`;
  });
  const dash = isIndirect ? ` stroke-dasharray="${dashes.join(' ')}"` : '';
  const name = change === '' ? (isBack ? 'warning' : null) : `line-${change}`;
  const own = name ? ` stroke="${color(name)}" stroke-linejoin="round"` : '';
  const wide = width > 0 ? ` stroke-width="${width}"` : '';
  return `<path d="${parts.join('')}"${dash}${own}${wide}/>`;
}

function cardOf({ card, x, y }: Placed, scene: Scene, color: (name: string) => string): string {
  const { resource, rows, width, height } = card;
  const own = kindColor(scene, resource.kind);
  const texts = [
    `<text x="34" y="26" font-size="14" font-weight="600" fill="${color('ink')}">${fitted(resource.title, 26)}</text>`,
    `<text x="34" y="44" font-size="12" fill="${color('quiet')}">${fitted(card.bundle?.place ?? resource.titleFull, 32)}</text>`,
    ...rows.map(
      ({ title }, at) =>
        `<text x="14" y="${size.head + (at + 0.85) * size.row}" font-size="12" fill="${color('ink')}">${fitted(title, 32)}</text>`,
    ),
  ];
  return [
    `<g transform="translate(${round({ x, y })})">`,
    `<rect width="${width}" height="${height}" rx="10" fill="${color('card')}" stroke="${color('edge')}"/>`,
    `<rect x="12" y="18" width="12" height="22" rx="3" fill="${own}"/>`,
    ...texts,
    '</g>',
  ].join('');
}

function fitted(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}

/** In which form a picture is taken along. */
export type FileKind = 'svg' | 'png' | 'csv';

/** Hand it to the browser as a file; false where it is too large for one of its kind, or not drawn. */
export async function saveAs(
  kind: FileKind,
  name: string,
  model: Model,
  scene: Scene | null,
): Promise<boolean> {
  if (kind === 'csv') saveFile(`${name}.csv`, linesOf(model));
  else if (!scene) return false;
  else if (kind === 'png') return savePng(scene, name);
  else saveFile(`${name}.svg`, svgOf(scene), 'image/svg+xml');
  return true;
}

/** The lines as rows. */
function linesOf(model: Model): string {
  const rows = namedLines(model).map(({ line, from, to }) => [
    ...[from.name, to.name, line.origin, line.isIndirect ? 'INDIRECT' : 'DIRECT'],
    line.uses.join(' '),
  ]);
  return csvOf([['from', 'to', 'origin', 'strength', 'uses'], ...rows]);
}

async function savePng(scene: Scene, name: string): Promise<boolean> {
  const { width, height } = extentOf(scene);
  const canvas = document.createElement('canvas');
  canvas.width = width * sharpness;
  canvas.height = height * sharpness;
  const context = canvas.getContext('2d');
  if (Math.max(canvas.width, canvas.height) > mostPixels || !context) return false;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(scene))}`;
  await image.decode();
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob) saveFile(`${name}.png`, blob);
  return blob !== null;
}

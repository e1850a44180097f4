// Pictures as PNG files, of a few colours, without a library that has to be compiled.

import { crc32, deflateSync } from 'node:zlib';

/** A colour as red, green and blue, 0 to 255 each. */
export type Colour = readonly [number, number, number];

/** A picture whose points hold the number of their colour. */
export interface PalettePicture {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly points: Uint8Array;
  readonly colours: readonly Colour[];
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits a point, each the number of a colour. */
const bitDepth = 8;
const byPalette = 3;

/** A picture as a PNG file: https://www.w3.org/TR/png-3/ */
export function pngOf({ width, height, points, colours }: PalettePicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, byPalette, 0, 0, 0], 8);
  // Each row begins with the number of its filter: 0 for none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    rows.set(points.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

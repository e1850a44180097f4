// What a message says of what is downstream, and the picture that mail shows.

import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createLineage } from '../../src/lineage/edge.ts';
import { chartHeight, chartPicture, chartWidth } from '../../src/notifications/pictures/chart.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { openCatalog } from '../catalog.ts';
import { startMail } from './mail-server.ts';
import { watched } from './watched.ts';
import { workOff } from './work-off.ts';

/** The colour of each point of a PNG file of eight bits without filters, row by row. */
function pointsOf(png: Buffer): { width: number; height: number; rows: number[][] } {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    parts.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  expect([...parts.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const header = parts.get('IHDR') ?? Buffer.alloc(8);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = inflateSync(parts.get('IDAT') ?? Buffer.alloc(0));
  expect(data).toHaveLength((width + 1) * height);
  const rows = Array.from({ length: height }, (_, y) => [
    ...data.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)),
  ]);
  return { width, height, rows };
}

test('a chart is a PNG file with the range, the line, and marks where values are outside', () => {
  const within = Array.from({ length: 20 }, (_, i) => ({
    value: 40 + (i % 5),
    lower: 38,
    upper: 46,
  }));
  const colours = (png: Buffer | null) => {
    const { width, height, rows } = pointsOf(png ?? Buffer.alloc(0));
    expect([width, height]).toEqual([chartWidth, chartHeight]);
    return [...new Set(rows.flat())].sort();
  };
  expect(colours(chartPicture(within))).toEqual([0, 1, 2]);
  const outside = [...within, { value: 2_176, lower: 38, upper: 46 }];
  expect(colours(chartPicture(outside))).toEqual([0, 1, 2, 3]);
  const { rows } = pointsOf(chartPicture(outside) ?? Buffer.alloc(0));
  // The mark is at the top right, where the value is.
  expect(rows.findIndex((row) => row.includes(3))).toBeLessThan(chartHeight / 4);
  expect(rows.find((row) => row.includes(3))?.indexOf(3)).toBeGreaterThan(chartWidth * 0.9);
});

test('whatever the values are, a chart of two is drawn, and one of fewer is none', () => {
  expect(chartPicture([])).toBeNull();
  expect(chartPicture([{ value: 1, lower: null, upper: null }])).toBeNull();
  for (const values of [
    [0, 0],
    [1e300, -1e300],
    [5, 5, 5],
    [-1, 1e-300],
  ]) {
    for (const [lower, upper] of [
      [null, null],
      [null, 0],
      [1e308, null],
      [-1e308, 1e308],
    ] as const) {
      const png = chartPicture(values.map((value) => ({ value, lower, upper })));
      expect(pointsOf(png ?? Buffer.alloc(0)).width).toBe(chartWidth);
    }
  }
});

test('mail shows the values, and names dashboards and owners to those who may know of them', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = catalog;
  await using mail = await startMail(catalog);
  const ada = await catalog.user({ email: 'ada@example.com', firstName: 'Ada', lastName: 'L' });
  const viewer = await catalog.user({ email: 'reader@example.com', role: 'viewer' });
  const { table, measure } = await watched(admin, catalog, {
    ...{ subscriberIds: [viewer.id], published: true },
  });
  await catalog.database.prisma.monitor.updateMany({ data: { notifyChatChannel: null } });
  const open = await catalog.resource({ kind: 'dashboard', title: 'Sales', published: true });
  const secret = await catalog.resource({
    ...{ kind: 'dashboard', title: 'Board', published: false, ownerIds: [ada.id] },
  });
  for (const { id } of [open, secret]) {
    await createLineage(admin, { fromId: table.id, toId: id, direction: 'DOWNSTREAM' });
  }
  await createRule(admin, { name: 'Desk', emails: ['desk@example.com'] });
  for (const value of [7, 8, 9, 1]) await measure(value);
  await workOff(catalog);
  const plain = (to: string) =>
    mail.mails.find((one) => one.to === to)?.text.replace(/=\r?\n/g, '') ?? '';
  expect(plain('desk@example.com')).toMatch(/Dashboards: .*Board/);
  expect(plain('desk@example.com')).toContain('Owners downstream: Ada L.');
  expect(plain('desk@example.com')).toContain('Content-Type: image/png');
  expect(plain('desk@example.com')).toContain('cid:chart');
  expect(plain('reader@example.com')).toMatch(/Dashboards: [^\n]*Sales\./);
  expect(plain('reader@example.com')).not.toMatch(/Board|Ada/);
  const sent = await catalog.database.prisma.notification.findMany({});
  // Only mail is drawn: what others are sent stays small.
  for (const { channel, content } of sent) {
    expect(JSON.stringify(content).includes('"chart"')).toBe(channel === 'email');
  }
});

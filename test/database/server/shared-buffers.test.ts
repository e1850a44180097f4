// How much memory the packaged server may use for its pages.

import { expect, test } from 'vitest';
import { configuration, sharedBuffersOf } from '../../../src/database/server/settings.ts';

const gigabyte = 1024 ** 3;

test('the database keeps a sixteenth of the memory, within bounds', () => {
  expect([0.5, 1.5, 2, 4, 8, 64].map((size) => sharedBuffersOf(size * gigabyte))).toEqual([
    96, 96, 128, 256, 512, 512,
  ]);
  const [, size = 0] =
    /^shared_buffers = (\d+)MB$/m.exec(
      configuration({ durability: 'full', maxConnections: 10, port: null }),
    ) ?? [];
  expect(Number(size)).toBeGreaterThanOrEqual(96);
  expect(Number(size)).toBeLessThanOrEqual(512);
});

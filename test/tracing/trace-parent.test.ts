// The header `traceparent`: what is taken for one, and what is not.

import { expect, test } from 'vitest';
import { readTraceParent } from '../../src/tracing/trace-parent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  ['01', true],
  ['00', false],
  ['03', true],
  ['02', false],
])('flags %s: recorded by the caller is %s', (flags, isSampled) => {
  expect(readTraceParent(`00-${traceId}-${spanId}-${flags}`)).toEqual({
    traceId,
    spanId,
    isSampled,
  });
});

test('a later version may say more than the four parts', () => {
  expect(readTraceParent(`01-${traceId}-${spanId}-01-more`)?.traceId).toBe(traceId);
});

test.each([
  undefined,
  '',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01\n`,
  `00-${traceId}-${spanId}-0x`,
])('%j is none', (header) => {
  expect(readTraceParent(header)).toBeNull();
});

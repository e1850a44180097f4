// Showing which data types can have which metrics.

import { expect, test } from 'vitest';
import { metricsOf } from '../../../src/monitors/metric-config.ts';
import { familyOf } from '../../../src/monitors/scans/data-type.ts';

test.each([
  ['numeric', ['int8', 'NUMERIC(10,2)', 'bigint(20) unsigned', 'year(4)', 'UHUGEINT', 'money']],
  [
    'text',
    ['character varying(80)', "enum('a','b')", "set('x','y')", 'uuid', 'String', 'longtext'],
  ],
  ['time', ['date', 'timestamp with time zone', 'datetime(6)', 'TIMESTAMP_NS', 'DateTime64(3)']],
  ['other', ['interval', 'daterange', 'int4multirange', 'text[]', 'INTEGER[3]', 'date[]', 'jsonb']],
  [
    'other',
    ['bytea', 'BLOB', 'varbinary(16)', 'STRUCT(x INTEGER)', 'MAP(INTEGER, INTEGER)', 'point'],
  ],
  ['boolean', ['boolean']],
  [null, ['mood', 'email', 'pointer_of_ours']],
])('of the group %s are %j', (family, types) => {
  for (const type of types) expect(familyOf(type), type).toBe(family);
});

test('of what is neither a number nor an instant only what any value has is measured', () => {
  const metrics = metricsOf({ kind: 'column', title: 'wait', type: 'interval' });
  expect(metrics).toEqual(expect.arrayContaining(['null_percentage', 'cardinality']));
  for (const metric of ['freshness', 'minimum', 'sum', 'zero_percentage']) {
    expect(metrics).not.toContain(metric);
  }
});

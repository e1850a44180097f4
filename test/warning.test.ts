// What is taken without an effect is said next to the answer: in a header of REST, in the extensions of GraphQL.

import { expect, test } from 'vitest';
import { openCatalog } from './catalog.ts';

const catalog = await openCatalog();

test('a bound next to a sensitivity is taken, and said to have no effect', async () => {
  const { id: target } = await catalog.resource();
  const monitor = { target, metric_type: 'row_count' };
  const both = { condition_auto_sensitivity: 5, condition_manual_max: 10 };
  const made = await catalog.rest('POST', '/monitor/monitors', { body: { ...monitor, ...both } });
  expect([made.status, made.body.condition_manual_max]).toEqual([201, null]);
  expect(made.headers.get('warning')).toMatch(
    /^299 - "condition_manual_max: A bound has no effect/,
  );
  const path = `/monitor/monitors/${made.body.id}`;
  const change = { condition_auto_sensitivity: 7, condition_manual_min: 1 };
  const changed = await catalog.rest('PATCH', path, { body: change });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('warning')).toContain('condition_manual_min: A bound');
  // What was read may be sent back, and says nothing.
  const { condition_auto_sensitivity, condition_manual_min } = changed.body;
  const same = { condition_auto_sensitivity, condition_manual_min };
  expect((await catalog.rest('PATCH', path, { body: same })).headers.get('warning')).toBeNull();

  const answer = await catalog.graphql(
    `mutation ($targetId: ID!) { createMonitor(input: { targetId: $targetId, metricType: row_count,
      conditionAutoSensitivity: 5, conditionManualMin: 1 }) { conditionManualMin } }`,
    { targetId: target },
  );
  expect(answer.data.createMonitor).toEqual({ conditionManualMin: null });
  expect(answer.extensions).toEqual({
    warnings: [
      {
        field: 'conditionManualMin',
        message:
          'A bound has no effect next to a sensitivity: send null as conditionAutoSensitivity for it to count.',
      },
    ],
  });
});

test('an hour of extraction is taken for what takes uploads, and said to have no effect', async () => {
  const path = '/integration/integrations';
  const body = { name: 'Files', type: 'custom', scheduled_extractions_hour: 3 };
  const made = await catalog.rest('POST', path, { body });
  expect(made.status).toBe(201);
  expect(made.headers.get('warning')).toMatch(/scheduled_extractions_hour: This has no effect/);
  const source = await catalog.rest('POST', path, { body: { ...body, type: 'postgres' } });
  expect([source.status, source.headers.get('warning')]).toEqual([201, null]);
});

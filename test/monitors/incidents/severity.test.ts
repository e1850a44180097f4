// How bad an incident is by what it reaches.

import { expect, test } from 'vitest';
import type { IncidentReach } from '../../../src/monitors/incidents/concern.ts';
import { severityOf } from '../../../src/monitors/incidents/severity.ts';

const one = (kind: string, verified = false) => ({
  ...{ id: kind, kind, title: kind, verified },
  ...{ published: true, tagIds: [], teamIds: [] },
});

const reach = (near: boolean, below: readonly ReturnType<typeof one>[]): IncidentReach => ({
  ...{ target: one('table'), near: [one('table', near)], around: [], above: [] },
  ...{ below, count: below.length, isMore: false, dashboards: [], owners: [] },
});

test('nothing downstream is low, something medium', () => {
  expect(severityOf(reach(false, []))).toBe('low');
  expect(severityOf(reach(false, [one('table')]))).toBe('medium');
});

test('what people look at or is verified is high, both are critical', () => {
  expect(severityOf(reach(false, [one('table'), one('dashboard')]))).toBe('high');
  expect(severityOf(reach(false, [one('chart')]))).toBe('high');
  expect(severityOf(reach(true, []))).toBe('high');
  expect(severityOf(reach(false, [one('table', true)]))).toBe('high');
  expect(severityOf(reach(true, [one('dashboard')]))).toBe('critical');
});

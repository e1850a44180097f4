// What pages ask the server for, by what stands in their address and who looks.

import { expect, test } from 'vitest';
import type { AddressView } from '../../../src/explorer/asking/address.ts';
import { mineOf } from '../../../src/explorer/home/wanted.ts';
import { columnOf } from '../../../src/explorer/incidents/filter.ts';
import { countsOf, listsOf, statusOf } from '../../../src/explorer/monitors/filter.ts';
import { kindsIn } from '../../../src/explorer/search/kinds.ts';

function view(query: string): AddressView {
  const values = new URLSearchParams(query);
  return {
    one: (name) => values.get(name) ?? '',
    list: (name) => values.getAll(name),
    change: () => expect.unreachable(),
  };
}

const viewer: Parameters<typeof mineOf>[0] = {
  ...{ id: 'me', name: 'Me', email: 'me@example.com', role: 'viewer', groups: [] },
  ...{ allowedActions: [], workspace: { name: 'Shop' } },
};

const isUrgent = { status: { in: ['incident', 'error'] } };

test('monitors that need somebody are a list of their own, unless one status is asked for', () => {
  expect(listsOf(view(''))).toMatchObject({
    urgent: { where: { and: [isUrgent] } },
    others: { where: { and: [{ not: isUrgent }] } },
  });
  expect(statusOf(view('status=error'))).toBe('error');
  expect(listsOf(view('status=error')).others.where).toEqual({
    and: [{ status: { eq: 'error' } }],
  });
  expect(statusOf(view('status=nonsense'))).toBeNull();
});

test('monitors are filtered by what the address names, and by nothing else', () => {
  expect(countsOf(view('q=%20&owner='))).toEqual({ wanted: {} });
  expect(countsOf(view('q=%20rows&owner=o&source=s'))).toEqual({
    wanted: {
      and: [
        { or: [{ name: { contains: 'rows' } }, { target: { titleFull: { contains: 'rows' } } }] },
        { target: { owners: { some: { id: { eq: 'o' } } } } },
        { integrationId: { eq: 's' } },
      ],
    },
  });
  expect(countsOf(view('source=s'))).toEqual({ wanted: { and: [{ integrationId: { eq: 's' } }] } });
});

test('incidents that wait are in the order of their severity, those that are over of their end', () => {
  const worstFirst = [{ severity: 'desc' }, { firstSeenAt: 'desc' }];
  expect(columnOf(view(''), 'active')).toEqual({
    where: { and: [{ status: { eq: 'active' } }] },
    orderBy: worstFirst,
  });
  expect(columnOf(view(''), 'acknowledged').orderBy).toEqual(worstFirst);
  expect(columnOf(view(''), 'resolved').orderBy).toEqual([{ resolvedAt: 'desc' }]);
});

test('incidents are filtered by what the address names, and by no severity that there is not', () => {
  expect(columnOf(view('severity=high&assignee=a&source=s'), 'active').where).toEqual({
    and: [
      { severity: { eq: 'high' } },
      { assigneeId: { eq: 'a' } },
      { integrationId: { eq: 's' } },
      { status: { eq: 'active' } },
    ],
  });
  expect(columnOf(view('severity=nonsense'), 'active').where).toEqual({
    and: [{ status: { eq: 'active' } }],
  });
});

test('a search is for the kinds that there are among those of the address, or for all', () => {
  expect(kindsIn(['table', 'nonsense', 'chart'])).toEqual(['chart', 'table']);
  expect(kindsIn(['nonsense'])).toBeNull();
  expect(kindsIn([])).toBeNull();
});

test("somebody's own is what they own by themselves and, where they are in any, by groups", () => {
  type Viewer = Parameters<typeof mineOf>[0];
  const of = (groups: Viewer['groups']) => mineOf({ ...viewer, groups });
  const byMe = { owners: { some: { id: { eq: 'me' } } } };
  const byGroups = { ownerGroups: { some: { id: { in: ['g'] } } } };
  const [alone, together] = [of([]), of([{ id: 'g' }])];
  expect(alone.incidents.or).toEqual([{ assigneeId: { eq: 'me' } }, { target: byMe }]);
  expect(alone.questions.or).toEqual([{ assignedToId: { eq: 'me' } }, byMe]);
  const owned = { or: [byMe, byGroups] };
  expect(together.incidents.or).toEqual([{ assigneeId: { eq: 'me' } }, { target: owned }]);
  expect(together.questions.or).toEqual([{ assignedToId: { eq: 'me' } }, owned]);
});

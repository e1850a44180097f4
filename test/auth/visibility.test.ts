// What each role sees, as a condition in SQL: on the real tables, against the rule in words.

import { expect, test } from 'vitest';
import { maySee, visibleResources, visibleTeams } from '../../src/auth/permission.ts';
import { type Role, roles } from '../../src/auth/viewer.ts';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { openCatalog } from '../catalog.ts';

test('the condition on the table of resources is the rule, for every role, under any alias', async () => {
  await using catalog = await openCatalog();
  const [mine, other] = [
    await catalog.team({ addMemberIds: [catalog.idOf('guest'), catalog.idOf('viewer')] }),
    await catalog.team({}),
  ];
  for (const published of [true, false]) {
    for (const teamIds of [[], [mine.id], [other.id], [mine.id, other.id]]) {
      await catalog.resource({ published, teamIds });
    }
  }
  for (const role of roles) {
    const ctx = catalog.as(role);
    const viewer = { ...ctx.viewer, teamIds: role === 'guest' ? [mine.id] : [] };
    for (const alias of ['r', 'other']) {
      const condition =
        alias === 'r' ? visibleResources({ viewer }) : visibleResources({ viewer }, alias);
      const found = await rows<{ published: boolean; teamIds: string[]; seen: boolean }>(
        ctx,
        Prisma.sql`select published, team_ids as "teamIds", ${condition} as seen
          from resource ${Prisma.raw(alias)} where workspace_id = ${ctx.workspaceId}::uuid`,
      );
      expect(found.length).toBeGreaterThanOrEqual(8);
      for (const { seen, ...resource } of found) {
        expect([role, resource, seen]).toEqual([role, resource, maySee({ viewer }, resource)]);
      }
    }
  }
});

test('a closed team is known to its members and to who edits, a deleted one to no one', async () => {
  await using catalog = await openCatalog();
  const made: string[] = [];
  for (const type of ['OPEN', 'CLOSED'] as const) {
    for (const isIn of [true, false]) {
      const addMemberIds = isIn ? roles.map((role) => catalog.idOf(role)) : [];
      const name = `${type}${isIn ? ' mine' : ''}`;
      made.push((await catalog.team({ name, type, addMemberIds })).id);
      const gone = await catalog.team({ name: `${name} gone`, type, addMemberIds });
      await catalog.database.prisma.team.updateMany({
        where: { workspaceId: catalog.workspaceId, id: gone.id },
        data: { archived: true },
      });
      made.push(gone.id);
    }
  }
  const known = async (role: Role, alias?: string) => {
    const ctx = catalog.as(role);
    const found = await rows<{ name: string }>(
      ctx,
      Prisma.sql`select name from team ${Prisma.raw(alias ?? 't')}
        where workspace_id = ${ctx.workspaceId}::uuid and id = any(${made}::uuid[])
          and ${visibleTeams(ctx, alias)} order by name`,
    );
    return found.map(({ name }) => name);
  };
  const all = ['CLOSED', 'CLOSED mine', 'OPEN', 'OPEN mine'];
  expect(await known('admin')).toEqual(all);
  expect(await known('editor', 'x')).toEqual(all);
  expect(await known('viewer')).toEqual(['CLOSED mine', 'OPEN', 'OPEN mine']);
  expect(await known('viewer', 'x')).toEqual(['CLOSED mine', 'OPEN', 'OPEN mine']);
  expect(await known('guest')).toEqual(['CLOSED mine', 'OPEN mine']);
  expect(await known('guest', 'x')).toEqual(['CLOSED mine', 'OPEN mine']);
});

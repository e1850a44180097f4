// What staged resources may not be: children of what cannot hold them, or of themselves.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { kinds, parseKind } from '../../../resources/kind.ts';
import { badField } from '../../readers/place.ts';
import type { Stage } from '../staging/stage.ts';

/** How deep resources may lie in each other. Nested columns of real sources stay below 20 levels. */
export const maxLevels = 64;

/** Kinds and the kinds that may hold them, as rows of SQL. */
export const allowedPairs = Object.entries(kinds)
  .flatMap(([kind, { parents }]) => parents.map((parent) => `('${kind}', '${parent}')`))
  .join(', ');

/** Throw BAD_REQUEST for the first resource whose parent cannot be. */
export async function checkLinks(ctx: Context, links: string, file: string): Promise<void> {
  const [unknown] = await scratch<{ line: number; parentKey: string }>(
    ctx,
    `select line, parent_key as "parentKey" from ${links}
      where parent_key is not null and parent_id is null order by line limit 1`,
  );
  if (unknown) {
    const parent = JSON.stringify(unknown.parentKey);
    const message = `names ${parent}, which is neither in this file nor in the integration.`;
    throw badField({ file, line: unknown.line }, 'parent_databuilder_id', message);
  }
  const [wrong] = await scratch<{ line: number; kind: string; parentKind: string }>(
    ctx,
    `select line, kind, parent_kind as "parentKind" from ${links}
      where parent_key is not null and not is_foreign
        and (kind, parent_kind) not in (values ${allowedPairs}) order by line limit 1`,
  );
  if (wrong) {
    const { label, parents } = kinds[parseKind(wrong.kind)];
    const holder = parents.length > 0 ? `only a ${parents.join(' or ')} can` : 'nothing can';
    const message = `is a ${wrong.parentKind}, which cannot hold a ${label}; ${holder}.`;
    throw badField({ file, line: wrong.line }, 'parent_databuilder_id', message);
  }
}

/** Throw BAD_REQUEST where resources would lie in a circle, or too deep. */
export async function checkCircles(
  ctx: Context,
  stage: Stage,
  links: string,
  file: string,
): Promise<void> {
  await checkUnreached(ctx, stage, links, file);
  await checkMoves(ctx, stage, file);
}

/**
 * Throw BAD_REQUEST where what is moved would lie within itself. Such a circle may lead through resources that are in
 * the catalog only, and lie where they do at this time.
 */
export async function checkMoves(ctx: Context, { plan }: Stage, file: string): Promise<void> {
  const [closed] = await scratch<{ line: number }>(
    ctx,
    `with recursive up as (
        select p.id as start, p.line, p.parent_id as id, 0 as step from ${plan} p
        join resource m on m.workspace_id = $1::uuid and m.id = p.id and not m.archived
        where p.is_nested
        union all
        select u.start, u.line, case when q.is_new or q.is_moved and not r.archived
          then q.parent_id else r.parent_id end, u.step + 1 from up u
        left join resource r on r.workspace_id = $1::uuid and r.id = u.id
        left join ${plan} q on q.id = u.id and q.level is not null
        where u.step < ${maxLevels} and u.id <> u.start)
      select line from up where id = start order by line limit 1`,
    [ctx.workspaceId],
  );
  if (!closed) return;
  const message = 'lies within this resource already: that would be a circle of parents.';
  throw badField({ file, line: closed.line }, 'parent_databuilder_id', message);
}

/** Throw BAD_REQUEST where following the parents from the outermost ones did not reach everything. */
async function checkUnreached(
  ctx: Context,
  { plan }: Stage,
  links: string,
  file: string,
): Promise<void> {
  const [lost] = await scratch<{ line: number; seq: number }>(
    ctx,
    `select l.line, l.seq from ${links} l
      where not exists (select from ${plan} p where p.seq = l.seq) order by l.line limit 1`,
  );
  if (!lost) return;
  const up = await scratch<{ key: string; line: number; isCircle: boolean }>(
    ctx,
    `with recursive up as (
        select l.seq, l.parent_seq, l.key, l.line, 0 as step from ${links} l where l.seq = $1
        union all
        select l.seq, l.parent_seq, l.key, l.line, u.step + 1
        from up u join ${links} l on l.seq = u.parent_seq where u.step <= ${maxLevels})
        cycle seq set "isCircle" using path
      select key, line, "isCircle" from up order by step`,
    [lost.seq],
  );
  const meeting = up.find(({ isCircle }) => isCircle);
  const place = { file, line: meeting?.line ?? lost.line };
  if (!meeting) {
    const message = `lies deeper than ${maxLevels} levels below its outermost ancestor.`;
    throw badField(place, 'parent_databuilder_id', message);
  }
  const start = up.findIndex(({ key }) => key === meeting.key);
  const circle = up.slice(start, up.indexOf(meeting) + 1).map(({ key }) => JSON.stringify(key));
  const shown = circle.length > 6 ? [...circle.slice(0, 3), '...', ...circle.slice(-2)] : circle;
  const message = `makes a circle of parents: ${shown.join(' lies in ')}.`;
  throw badField(place, 'parent_databuilder_id', message);
}

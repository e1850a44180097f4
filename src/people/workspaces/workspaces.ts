// The workspaces of a database, for the one who has it: listed, made and renamed.

import { record } from '../../audit/audit.ts';
import { changesOf } from '../../audit/changes.ts';
import { lockFirstUse } from '../../auth/authentication.ts';
import { serverViewer } from '../../auth/viewer.ts';
import { contextAcross } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import { acrossWorkspaces } from '../../database/outside.ts';
import { type Connection, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import {
  type Limited,
  setLimits,
  useOfAll,
  type WorkspaceUse,
} from '../../limits/workspace-limits.ts';
import { makeFirstWorkspace } from '../first-admin.ts';
import { checkEmail } from '../user.ts';

/** A workspace, and what people call it. */
export interface NamedWorkspace {
  readonly id: string;
  readonly name: string;
}

/** A workspace with how much it holds. */
export interface WorkspaceSize extends NamedWorkspace {
  readonly createdAt: Date;
  /** People and service accounts who may use it. */
  readonly users: number;
  readonly uses: readonly WorkspaceUse[];
}

/** All workspaces, the oldest first. */
export function readWorkspaces(db: Connection): Promise<NamedWorkspace[]> {
  return rows<NamedWorkspace>(
    db,
    Prisma.sql`select w.id, w.name from workspace w order by w.created_at, w.id`,
  );
}

/** All workspaces with how much each holds, the oldest first. */
export async function listWorkspaces(database: Database): Promise<WorkspaceSize[]> {
  const found = await rows<Omit<WorkspaceSize, 'uses'>>(
    acrossWorkspaces(database),
    Prisma.sql`select w.id, w.name, w.created_at as "createdAt",
        (select count(*)::integer from user_account u
          where u.workspace_id = w.id and not u.archived) as users
      from workspace w order by w.created_at, w.id`,
  );
  const uses = await useOfAll(database);
  return found.map((one) => ({
    ...one,
    uses: uses.filter(({ workspaceId }) => workspaceId === one.id),
  }));
}

/** The workspace with an id. Throws NOT_FOUND. */
export async function workspaceById(database: Database, id: string): Promise<NamedWorkspace> {
  const found = (await readWorkspaces(acrossWorkspaces(database))).find((one) => one.id === id);
  if (!found) throw notFound('Workspace', id);
  return found;
}

/**
 * The one of some workspaces that a name or an id means, or the only one where none is given. Throws BAD_REQUEST with the
 * names of all where that is none or several.
 */
export function chooseWorkspace(
  all: readonly NamedWorkspace[],
  wanted: string | undefined,
): NamedWorkspace {
  const fitting = all.filter(
    ({ id, name }) => wanted === undefined || name === wanted || id === wanted.toLowerCase(),
  );
  const [one] = fitting;
  if (one && fitting.length === 1) return one;
  const list = fitting.length === 0 ? all : fitting;
  const names = list.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw invalidField('workspace', `Give the id of one of these: ${names || 'there are none'}.`);
}

/**
 * Make a workspace with its default team and a first admin, who has no key yet. Throws BAD_REQUEST for a name or an
 * address that can't be one, and CONFLICT for a name that another workspace has, in whatever capitals.
 */
export async function createWorkspace(
  database: Database,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<NamedWorkspace> {
  const given = { name: checkName(name), email: checkEmail(email) };
  const { workspaceId: id } = await transaction(contextAcross(database, 'COMMAND'), async (any) => {
    await lockFirstUse(any);
    mustBeFree(await readWorkspaces(any), given.name);
    return makeFirstWorkspace(any, given);
  });
  return { id, name: given.name };
}

/** Limits that are given: null for any number, what is absent stays. */
export type GivenLimits = Readonly<Partial<Record<Limited, number | null>>>;

/** What of a workspace is to be another; what is absent stays. */
export interface WorkspaceChange {
  readonly name?: string;
  readonly limits?: GivenLimits;
}

/**
 * Rename a workspace, limit what it may hold and write, or both, and record it in its audit log; what it was. Throws like
 * `chooseWorkspace` and `createWorkspace`.
 */
export async function changeWorkspace(
  database: Database,
  wanted: string,
  given: WorkspaceChange,
): Promise<NamedWorkspace> {
  return transaction(contextAcross(database, 'COMMAND'), async (any) => {
    await lockFirstUse(any);
    const all = await readWorkspaces(any);
    const before = chooseWorkspace(all, wanted);
    const { id } = before;
    const name = given.name === undefined ? before.name : checkName(given.name);
    const others = all.filter((one) => one.id !== id);
    if (name !== before.name) mustBeFree(others, name);
    const tx = { ...any, viewer: serverViewer(id), workspaceId: id };
    if (name !== before.name) await tx.db.workspace.update({ where: { id }, data: { name } });
    const limits = await setLimits(tx, given.limits ?? {});
    await record(tx, {
      activity: 'workspace_updated',
      subject: { id, kind: 'workspace', title: name },
      changes: changesOf({ name: before.name, ...limits.before }, { name, ...limits.after }),
    });
    return before;
  });
}

/** The name as it is stored. Throws BAD_REQUEST for one that can't be a name. */
export function checkName(given: string): string {
  const name = given.trim();
  if (/^[^\p{Cc}]{1,200}$/u.test(name)) return name;
  throw invalidField('name', 'Use 1 to 200 characters in one line.');
}

/** Throws CONFLICT where another workspace has the name, in whatever capitals. */
export function mustBeFree(others: readonly NamedWorkspace[], name: string): void {
  const same = others.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (same) throw conflict(`There is a workspace ${same.name} already: choose another name.`);
}

// Callers: every role, an admin of another workspace, and dead keys.

import type { Role } from '../../src/auth/viewer.ts';
import { createApiKey, revokeApiKey } from '../../src/people/api-key.ts';
import { type Caller, type Catalog, openCatalog } from '../catalog.ts';
import { tie } from './ties.ts';
import { allThings, anyCanary, canaries, openPlace, type Place } from './world.ts';

/** Anyone who asks, and what they must not get to read. */
export interface Asker {
  readonly name: string;
  readonly caller: Caller;
  /** What of an answer's text is not for them; ids that they sent themselves are none. */
  unseenIn(text: string, sent: string): string[];
}

export interface ActiveKeys {
  /** Those whose keys do not work. */
  readonly refused: readonly Asker[];
  readonly other: Asker;
  readonly byRole: Readonly<Record<Role, Asker>>;
}

/** Everybody who may ask for something of a workspace, in it or not. */
export async function askersOf({ catalog, hidden, shown, closed }: Place): Promise<ActiveKeys> {
  const elsewhere = await catalog.another();
  const everyId = async () => [...(await hidden.ids()), ...(await shown.ids()), closed];
  const all = await everyId();
  const hiddenIds = [...(await hidden.ids('secret')), closed];
  const people = [await shown.one('user'), await shown.one('group'), catalog.idOf('admin')];
  const asker = (
    name: string,
    caller: Caller,
    words: readonly string[],
    ids: readonly string[],
  ) => ({
    ...{ name, caller },
    unseenIn: (text: string, sent: string) =>
      [...words, ...ids.filter((id) => !sent.includes(id))].filter((one) => text.includes(one)),
  });
  const stranger = (name: string, key: string | null) => asker(name, { key }, [anyCanary], all);
  const { members, editors, admins } = canaries;
  const role = (as: Role, words: string[], ids: string[]) => asker(as, { as }, words, ids);
  return {
    refused: [
      stranger('no key', null),
      stranger('revoked', await revokedKey(catalog)),
      stranger('expired', await expiredKey(catalog)),
    ],
    other: stranger('other', elsewhere.keyOf('admin')),
    byRole: {
      guest: role('guest', [members, editors, admins], [...hiddenIds, ...people]),
      viewer: role('viewer', [editors, admins], hiddenIds),
      editor: role('editor', [admins], []),
      admin: role('admin', [], []),
    },
  };
}

async function revokedKey(catalog: Catalog): Promise<string> {
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'revoked' });
  await revokeApiKey(catalog.admin, apiKey.id);
  return key;
}

async function expiredKey({ admin, database, workspaceId }: Catalog): Promise<string> {
  const { key, apiKey } = await createApiKey(admin, { name: 'expired' });
  await database.prisma.apiKey.update({
    where: { workspaceId_id: { workspaceId, id: apiKey.id } },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  });
  return key;
}

/** A workspace with all that there can be, of which much is for few, and everybody who asks for it. */
export async function openAsked(): Promise<{ place: Place; askers: ActiveKeys }> {
  const place = await openPlace(await openCatalog());
  await tie(place);
  await Promise.all(allThings.map((thing) => place.hidden.one(thing)));
  await Promise.all(allThings.map((thing) => place.shown.one(thing)));
  return { place, askers: await askersOf(place) };
}

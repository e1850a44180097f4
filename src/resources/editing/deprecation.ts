// Deprecation of a resource: since when, why, and what is to be used in its place.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { checkFields, id, type Noun, optionalText } from '../../fields.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { unknownIds } from '../../text/uuid.ts';
import { warn } from '../../warning.ts';
import { idsOfNow } from '../alias.ts';
import { isConversation } from '../kind.ts';
import { moment } from '../moment-field.ts';

/** What people say of a deprecation; null for no note and no successor. */
export interface DeprecationInput {
  since?: Date | null | undefined;
  note?: string | null | undefined;
  successorId?: string | null | undefined;
}

interface Said {
  readonly since: Date | null;
  readonly note: string | null;
  readonly successorId: string | null;
}

export const deprecationNoun: Noun<DeprecationInput, Said> = {
  by: 'edit resources',
  fields: {
    since: moment('since'),
    note: optionalText('note', 2_000),
    successorId: id('successor_id', 'a resource'),
  },
};

type Deprecation = Pick<Resource, 'deprecatedAt' | 'deprecationNote' | 'successorId'>;

const none: Deprecation = { deprecatedAt: null, deprecationNote: null, successorId: null };

/**
 * How a locked resource is deprecated after a change: absent leaves it as it is, null ends it, and anything else
 * says all of it, but for the time, which is now where none is given. Throws BAD_REQUEST for a successor that is not there.
 */
export async function deprecationOf(
  tx: Context,
  before: Resource,
  given: DeprecationInput | null | undefined,
): Promise<Partial<Deprecation>> {
  if (given === undefined) return {};
  if (given === null) return none;
  if (isConversation(before.kind)) {
    warn(tx, 'deprecation', 'This has no effect on questions and replies.');
    return {};
  }
  const { since, note, successorId } = checkFields(deprecationNoun, given);
  return {
    deprecatedAt: since ?? before.deprecatedAt ?? tx.now(),
    deprecationNote: note?.trim() || null,
    successorId: successorId ? await successorOf(tx, before, successorId) : null,
  };
}

/** The id of a successor as it is now. */
async function successorOf(tx: Context, { id: own }: Resource, given: string): Promise<string> {
  const [current = given] = await idsOfNow(tx, [given]);
  if (current === own) throw invalidField('successor_id', 'Choose another resource than this one.');
  const found = await rows(
    tx,
    Prisma.sql`select from resource r where r.workspace_id = ${tx.workspaceId}::uuid
      and r.id = ${current}::uuid and not r.archived and ${visibleResources(tx)}`,
  );
  if (found.length === 0) throw invalidField('successor_id', unknownIds('resource', [given]));
  return current;
}

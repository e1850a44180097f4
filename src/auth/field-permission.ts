// Who may set which field of a resource: the only place that decides it.

import type { Context } from '../context.ts';
import { type FieldError, forbidden } from '../errors.ts';
import type { Role } from './viewer.ts';

/** Who sets a field of a resource that they may change at all, and how that is said of them. */
const setters = {
  /** Anyone who asks and replies, of what they say themselves; editors of everything. */
  speakers: {
    roles: ['admin', 'editor', 'viewer'],
    said: 'Editors set it, and the person who asks',
  },
  /** Those who vouch for the catalog: what others rely on, are notified of, or find things by. */
  editors: { roles: ['admin', 'editor'], said: 'Editors and admins set it' },
  /** Everybody for themselves, editors for others. */
  'each for oneself': {
    roles: ['admin', 'editor'],
    said: 'Editors and admins set it for others, everybody else only for themselves',
  },
  /** What brought a resource, by the key that it gave. */
  integrations: {
    roles: [],
    said: 'The integration that the resource belongs to sets it, with its next import',
  },
} as const satisfies Record<string, { roles: readonly Role[]; said: string }>;

type Setter = keyof typeof setters;

const settable = {
  title: 'speakers',
  description: 'speakers',
  definition: 'speakers',
  tags: 'speakers',
  parent: 'speakers',
  priority: 'speakers',
  assigned_to: 'speakers',
  answer: 'speakers',
  accepted_answer: 'speakers',
  subscribers: 'each for oneself',
  owners: 'editors',
  owners_groups: 'editors',
  teams: 'editors',
  collections: 'editors',
  custom_properties: 'editors',
  published: 'editors',
  verified: 'editors',
  pii: 'editors',
  forced_unstale_by_user: 'editors',
  icon: 'editors',
  url: 'editors',
  external_usage: 'editors',
  external_updated_at: 'editors',
  native_type: 'editors',
  database: 'editors',
  schema: 'editors',
  cluster: 'editors',
  creation_query: 'editors',
  row_count: 'editors',
  byte_size: 'editors',
  type: 'editors',
  sort_order: 'editors',
  is_pk: 'editors',
  hidden: 'editors',
  product: 'editors',
  group: 'editors',
  sql: 'editors',
  dialect: 'editors',
  freq: 'editors',
  synonyms: 'editors',
  term_status: 'editors',
  formula: 'editors',
  next_review_at: 'editors',
  related_term_ids: 'editors',
  deprecation: 'editors',
  integration: 'editors',
  release_fields: 'editors',
  // By hand only as long as no integration has given a key.
  databuilder_id: 'editors',
} as const satisfies Record<string, Setter>;

/** A field of resources, by its name over REST. */
export type ResourceField = keyof typeof settable;

/** All of them. */
export const resourceFields: readonly string[] = Object.keys(settable);

/**
 * Throw FORBIDDEN that names each field which the viewer may not set, and who may. `owned` are fields that
 * an integration has set for this resource: no one sets them by hand.
 */
export function mustMaySet(
  ctx: Pick<Context, 'viewer'>,
  fields: readonly ResourceField[],
  owned: readonly ResourceField[] = [],
): void {
  const refused = [...new Set(fields)].flatMap((field): FieldError[] => {
    const { roles, said } = setters[owned.includes(field) ? 'integrations' : settable[field]];
    const may: readonly Role[] = roles;
    return may.includes(ctx.viewer.role) ? [] : [{ field, message: `${said}.` }];
  });
  if (refused.length === 0) return;
  const said = refused.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw forbidden(said, refused);
}

// What a client is told when something equal exists, by the unique index that says so.

/** What exists already, for each unique index that a request can run into. */
const uniques = new Map([
  ['custom_property_value_pkey', 'The resource has a value of this property already.'],
  ['data_test_workspace_id_integration_id_key_key', 'There is a data test with this key already.'],
  ['idempotency_key_pkey', 'There is a request with this Idempotency-Key already.'],
  ['incident_open_key', 'The monitor has an open incident already.'],
  ['job_dedupe_key', 'The same job is queued or running already.'],
  ['lineage_edge_current_key', 'There is a lineage edge between these two already.'],
  ['reaction_pkey', 'The reply has this reaction of the user already.'],
  ['resource_accepted_answer_key', 'The question has an accepted answer already.'],
  [
    'resource_identity_key',
    'Another request gave something this name at the same time; try again.',
  ],
  [
    'resource_version_workspace_id_resource_id_version_key',
    'There is a version of the documentation with this number already.',
  ],
  [
    'resource_workspace_id_integration_id_databuilder_id_key',
    'There is a resource with this databuilder_id in the integration already.',
  ],
  ['tag_name_key', 'There is a tag with this name already.'],
  ['team_default_key', 'There is already a default team.'],
  ['user_account_email_key', 'There is a user with this email already.'],
  ['user_group_workspace_id_name_key', 'There is a group with this name already.'],
  ['vote_pkey', 'The user has a vote on this already.'],
]);

/** The names of the indexes whose violation has a sentence of its own. */
export const namedUniques: ReadonlySet<string> = new Set(uniques.keys());

/** The sentence for errors that wrap each other, the one that names the index among them. */
export function uniqueMessage(chain: readonly object[]): string {
  for (const link of chain) {
    const message = uniques.get(indexOf(link) ?? '');
    if (message) return message;
  }
  return 'Another request created the same thing at the same time; try again.';
}

/** node-postgres names the index itself, Prisma's adapter in an object. */
function indexOf(link: object): string | undefined {
  if (!('constraint' in link)) return undefined;
  const { constraint } = link;
  if (typeof constraint === 'string') return constraint;
  if (typeof constraint !== 'object' || constraint === null) return undefined;
  return 'index' in constraint && typeof constraint.index === 'string'
    ? constraint.index
    : undefined;
}

// The list of what the audit log can record, as GraphQL types it.

import { closedSet } from '../graphql/views/closed-set.ts';
import { kindNames } from '../resources/kind.ts';

const verbs = { created: 'made', updated: 'changed', deleted: 'deleted', restored: 'restored' };

/** What is made, changed and deleted besides resources, each under the name that the log has for it. */
const things: Readonly<Record<string, readonly (keyof typeof verbs)[]>> = {
  announcement: ['created', 'updated', 'deleted'],
  api_key: ['created', 'deleted'],
  comment: ['created', 'updated', 'deleted'],
  custom_property: ['created', 'updated', 'deleted'],
  group: ['created', 'updated', 'deleted'],
  image: ['created'],
  incident: ['updated'],
  integration: ['created', 'updated', 'deleted'],
  monitor: ['created', 'updated', 'deleted'],
  notification_rule: ['created', 'updated', 'deleted'],
  maintenance_window: ['created', 'updated', 'deleted'],
  tag: ['created', 'updated', 'deleted'],
  team: ['created', 'updated', 'deleted'],
  user: ['created'],
  webhook: ['created', 'updated', 'deleted'],
  workspace: ['updated'],
};

const always = ['created', 'updated', 'deleted', 'restored'] as const;

function* plain(): Generator<[activity: string, meaning: string]> {
  const ofKinds = kindNames.map((kind) => [kind, always] as const);
  for (const [name, done] of [...ofKinds, ...Object.entries(things)]) {
    const what = name === 'category' ? 'event category' : name.replaceAll('_', ' ');
    for (const verb of done) yield [`${name}_${verb}`, `The ${what} was ${verbs[verb]}.`];
  }
}

const special = {
  question_answered: 'The question was answered.',
  question_reopened: 'The answer to a question was taken back.',
  vote_cast: 'Somebody voted on a question or reply.',
  vote_withdrawn: 'Somebody took back a vote.',
  reaction_added: 'Somebody reacted to a question or reply.',
  reaction_removed: 'Somebody took back a reaction.',
  bookmark_added: 'Somebody bookmarked a resource.',
  bookmark_removed: 'Somebody removed a bookmark.',
  subscription_started: 'Somebody subscribed to a resource.',
  subscription_ended: 'Somebody unsubscribed from a resource.',
  custom_properties_updated: 'Values of custom properties were set.',
  team_joined: 'Somebody joined a team.',
  team_left: 'Somebody left a team.',
  team_members_added: 'Users were added to a team.',
  team_members_removed: 'Users were removed from a team.',
  user_invited: 'The user was given a link that signs in once.',
  invitation_revoked: 'The link by which the user was invited works no longer.',
  user_updated: 'The user was changed, for example the role.',
  user_deactivated: 'The user was deactivated.',
  user_reactivated: 'The user was activated again.',
  api_key_rotated: 'A new API key took the place of this one, which goes on for a while.',
  api_key_revoked: 'The API key was revoked.',
  identity_linked: 'Whom a provider knows signs in to an account from now on.',
  session_started: 'Somebody signed in.',
  session_ended: 'A session was ended, by signing out or by an admin.',
  sessions_ended: 'All sessions of a user were ended.',
  resources_merged: 'Another resource was merged into it.',
  lineage_created: 'Lineage was added.',
  lineage_deleted: 'Lineage was deleted.',
  lineage_replaced: 'Lineage was replaced by that of a query.',
  lineage_embedded: 'An address of the picture of its lineage was made.',
  integration_synced: 'The integration was synced.',
  integration_sync_started: 'A sync of the integration was started.',
  monitor_tested: 'What a monitor of it would measure was tried on its source.',
  integration_connection_tested: 'The connection of the integration was tested.',
  monitors_run: 'Monitors were run.',
  table_profiled: 'A profile of the table was asked for.',
  table_sampled: 'Rows of the table were read from its source, and shown.',
  monitors_exported: 'The monitors were exported as YAML.',
  measurement_marked_normal: 'A measurement was marked as normal.',
  measurement_unmarked: 'The mark of a measurement was taken back.',
  incident_opened: 'A monitor opened an incident.',
  webhook_secret_rotated: 'The webhook got a new secret.',
  webhook_disabled: 'The server disabled a webhook.',
  webhook_redelivered: 'A message to a webhook was sent once more.',
  webhook_tested: 'A test was sent to a webhook.',
  audit_log_cut: 'Old entries of the audit log were moved into the archive.',
  secrets_resealed: 'Secrets were encrypted with a new master key.',
  job_cancelled: 'A background job was cancelled.',
  access_refused: 'A key that works no more was used, or a sign-in was refused.',
  permission_refused: 'A request was refused for lack of permission.',
  refusals_left_out: 'More requests were refused than are listed one by one.',
  workspace_imported: 'The workspace was taken in from a file.',
  sample_workspace_loaded: 'The sample workspace was loaded.',
};

const activities: Readonly<Record<string, string>> = { ...Object.fromEntries(plain()), ...special };

/** What entries are about: resources of a kind, things next to them, and what only begins and ends. */
const subjects = [...kindNames, ...Object.keys(things), 'session'];

/** What filters of the log may ask for. */
export const words = {
  activities: Object.keys(activities),
  performers: ['API', 'USER', 'SYSTEM'],
  subjects,
  related: [...subjects, 'measurement', 'resource', 'webhook_delivery'],
};

export const AuditActivityEnum = closedSet('AuditActivity', {
  description: 'What was done that the audit log records.',
  values: {
    ...activities,
    other: 'Something that only another version of the server knows.',
  },
  otherwise: 'other',
});

export const PerformerTypeEnum = closedSet('PerformerType', {
  description: 'Who does what the audit log records.',
  values: {
    API: 'A program, or a person with a key.',
    USER: 'A person.',
    SYSTEM: 'The server itself, or an actor that only another version knows.',
  },
  otherwise: 'SYSTEM',
});

export const AuditCredentialEnum = closedSet('AuditCredential', {
  description: 'Kind of what let something be done that the audit log records.',
  values: {
    API_KEY: 'An API key.',
    SESSION: 'The session of somebody who is signed in.',
    SIGN_IN: 'A sign-in itself: an answer of a provider, or a one-time code.',
    COMMAND: 'A command of the operator, or the operator over HTTP.',
    JOB: 'A job, which may act for the user who caused it.',
    SERVER: 'The server itself, or what only another version knows.',
  },
  otherwise: 'SERVER',
});

// The English words about what was done: activities of the audit log, and the fields that they change.

import { kindName } from '../../words.ts';

const verbs: Readonly<Record<string, string>> = {
  created: 'Created',
  updated: 'Edited',
  deleted: 'Deleted',
  restored: 'Restored',
};

const activities: Readonly<Record<string, string>> = {
  question_answered: 'Answered question',
  question_reopened: 'Reopened question',
  vote_cast: 'Voted',
  vote_withdrawn: 'Withdrew vote',
  reaction_added: 'Added reaction',
  reaction_removed: 'Removed reaction',
  bookmark_added: 'Added bookmark',
  bookmark_removed: 'Removed bookmark',
  subscription_started: 'Subscribed',
  subscription_ended: 'Unsubscribed',
  custom_properties_updated: 'Set properties',
  team_joined: 'Joined team',
  team_left: 'Left team',
  team_members_added: 'Added team members',
  team_members_removed: 'Removed team members',
  user_created: 'Invited person',
  user_updated: 'Edited person',
  user_deactivated: 'Deactivated person',
  user_invited: 'Invited person',
  invitation_revoked: 'Revoked invitation',
  user_reactivated: 'Reactivated person',
  api_key_created: 'Created API key',
  api_key_deleted: 'Deleted API key',
  api_key_rotated: 'Rotated API key',
  api_key_revoked: 'Revoked API key',
  identity_linked: 'Linked sign-in',
  session_started: 'Signed in',
  session_ended: 'Ended session',
  sessions_ended: 'Ended all sessions',
  resources_merged: 'Merged resources',
  lineage_created: 'Added lineage',
  lineage_deleted: 'Deleted lineage',
  lineage_replaced: 'Replaced lineage',
  lineage_embedded: 'Created link to lineage picture',
  integration_created: 'Connected source',
  integration_updated: 'Edited source',
  integration_deleted: 'Deleted source',
  integration_synced: 'Synced source',
  integration_sync_started: 'Started sync of source',
  integration_connection_tested: 'Tested connection',
  monitor_tested: 'Tested monitor',
  monitors_run: 'Ran monitors',
  monitors_exported: 'Exported monitors',
  measurement_marked_normal: 'Marked measurement as normal',
  measurement_unmarked: 'Unmarked measurement',
  incident_opened: 'Opened incident',
  webhook_secret_rotated: 'Rotated webhook secret',
  webhook_disabled: 'Disabled webhook',
  webhook_redelivered: 'Sent webhook again',
  webhook_tested: 'Tested webhook',
  secrets_resealed: 'Encrypted secrets with new key',
  job_cancelled: 'Cancelled job',
  access_refused: 'Access refused',
  permission_refused: 'Permission refused',
  refusals_left_out: 'More refusals',
  workspace_imported: 'Imported workspace',
  audit_log_cut: 'Archived old entries',
  sample_workspace_loaded: 'Loaded sample workspace',
};

/** An activity of the audit log, in words. */
export function activityName(activity: string): string {
  const [, thing = '', done = ''] = /^(.+)_([a-z]+)$/.exec(activity) ?? [];
  const verb = verbs[done];
  const otherwise = verb ? `${verb} ${kindName(thing)}` : sentence(activity.replaceAll('_', ' '));
  return activities[activity] ?? otherwise;
}

const subjects: Readonly<Record<string, string>> = { integration: 'source', user: 'person' };

/** What entries of the audit log are about, as a choice. */
export function subjectName(subject: string): string {
  return sentence(subjects[subject] ?? kindName(subject));
}

const fields: Readonly<Record<string, string>> = { definition: 'documentation' };

/** A field of the schema, as people write it: `ownerIds` are owners. */
export function fieldTitle(field: string): string {
  const spaced = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return fields[field] ?? spaced.replace(/^is (?=.)/, '').replace(/ id(s?)$/, '$1');
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

// Says in a sentence what was done.

import type { FieldChange } from './changes.ts';

/** What a sentence speaks of. */
export interface RecordedDeed {
  /** What it was done to. */
  readonly subject?: { readonly kind: string; readonly title: string };
  readonly related?: { readonly ids: readonly string[] };
  readonly changes?: readonly FieldChange[];
}

type Phrase = (who: string, deed: RecordedDeed) => string;

/** Deeds that any kind of thing knows. */
const verbs = ['created', 'updated', 'deleted', 'restored'] as const;

/** Deeds that have words of their own. */
const phrases = {
  question_answered: (who, deed) => `${who} answered ${thing(deed)}`,
  question_reopened: (who, deed) => `${who} took back the answer to ${thing(deed)}`,
  vote_cast: (who, deed) => `${who} voted on ${thing(deed)}`,
  vote_withdrawn: (who, deed) => `${who} took back a vote on ${thing(deed)}`,
  reaction_added: (who, deed) => `${who} reacted to ${thing(deed)}`,
  reaction_removed: (who, deed) => `${who} took back a reaction to ${thing(deed)}`,
  bookmark_added: (who, deed) => `${who} bookmarked ${thing(deed)}`,
  bookmark_removed: (who, deed) => `${who} removed the bookmark from ${thing(deed)}`,
  subscription_started: (who, deed) => `${who} subscribed to ${thing(deed)}`,
  subscription_ended: (who, deed) => `${who} unsubscribed from ${thing(deed)}`,
  custom_properties_updated: (who, deed) =>
    deed.subject
      ? `${who} set custom properties of ${thing(deed)}`
      : `${who} set custom properties of ${counted(deed, 'resource')}`,
  resources_merged: (who, deed) => `${who} merged another resource into ${thing(deed)}`,
  team_joined: (who, deed) => `${who} joined ${thing(deed)}`,
  team_left: (who, deed) => `${who} left ${thing(deed)}`,
  team_members_added: (who, deed) => `${who} added ${counted(deed, 'member')} to ${thing(deed)}`,
  team_members_removed: (who, deed) =>
    `${who} removed ${counted(deed, 'member')} from ${thing(deed)}`,
  user_invited: (who, deed) => `${who} invited ${thing(deed)}`,
  invitation_revoked: (who, deed) => `${who} revoked the invitation of ${thing(deed)}`,
  user_updated: (who, deed) => {
    const role = deed.changes?.find(({ field }) => field === 'role');
    if (!role) return updated(who, deed);
    return `${who} changed the role of ${thing(deed)} from ${role.before} to ${role.after}`;
  },
  user_deactivated: (who, deed) => `${who} deactivated ${thing(deed)}`,
  user_reactivated: (who, deed) => `${who} reactivated ${thing(deed)}`,
  api_key_rotated: (who, deed) => `${who} replaced ${thing(deed)}`,
  api_key_revoked: (who, deed) => `${who} revoked ${thing(deed)}`,
  identity_linked: (who, deed) => `${who} tied an identity of a provider to ${thing(deed)}`,
  session_started: (who) => `${who} signed in`,
  session_ended: (who) => `${who} signed out`,
  sessions_ended: (who, deed) => `${who} ended all sessions of ${thing(deed)}`,
  lineage_created: (who, deed) => `${who} added lineage to ${thing(deed)}`,
  lineage_deleted: (who, deed) => `${who} deleted lineage of ${thing(deed)}`,
  lineage_replaced: (who, deed) =>
    `${who} replaced the lineage of ${thing(deed)} by that of a query`,
  lineage_embedded: (who, deed) => `${who} made an address of the lineage of ${thing(deed)}`,
  integration_synced: (who, deed) => `${who} synced ${thing(deed)}`,
  integration_sync_started: (who, deed) => `${who} started a sync of ${thing(deed)}`,
  monitor_tested: (who, deed) => `${who} tried a monitor on ${thing(deed)}`,
  integration_connection_tested: (who, deed) => `${who} tested the connection of ${thing(deed)}`,
  monitors_run: (who, deed) =>
    `${who} ran ${deed.subject ? thing(deed) : counted(deed, 'monitor')}`,
  table_profiled: (who, deed) => `${who} asked for a profile of ${thing(deed)}`,
  table_sampled: (who, deed) => `${who} looked at rows of ${thing(deed)}`,
  monitors_exported: (who) => `${who} exported the monitors as YAML`,
  measurement_marked_normal: (who, deed) =>
    `${who} marked a measurement of ${thing(deed)} as normal`,
  measurement_unmarked: (who, deed) =>
    `${who} took back that a measurement of ${thing(deed)} was normal`,
  incident_opened: (_who, deed) => `A monitor opened ${thing(deed)}`,
  webhook_secret_rotated: (who, deed) => `${who} gave ${thing(deed)} a new secret`,
  webhook_disabled: (who, deed) => `${who} disabled ${thing(deed)}`,
  webhook_redelivered: (who, deed) => `${who} had a message sent to ${thing(deed)} once more`,
  webhook_tested: (who, deed) => `${who} sent a test to ${thing(deed)}`,
  audit_log_cut: (who) => `${who} moved entries of the audit log into the archive`,
  secrets_resealed: (who) => `${who} encrypted secrets with a new SECRETS_KEY`,
  job_cancelled: (who, deed) => `${who} cancelled ${thing(deed)}`,
  access_refused: (who) => `${who} was not let in`,
  permission_refused: (who) => `${who} was refused a request`,
  refusals_left_out: (who) => `${who} was refused more requests`,
  workspace_imported: (who, deed) => `${who} took in ${thing(deed)} from a file`,
  sample_workspace_loaded: () => 'The sample workspace was loaded',
} satisfies Record<string, Phrase>;

/** The activities that have words of their own. */
export const ownActivities: readonly string[] = Object.keys(phrases);

/** What was done, past tense with its object, such as `monitor_created`. */
export type Activity = keyof typeof phrases | `${string}_${(typeof verbs)[number]}`;

/** What was done, in a sentence without its full stop. */
export function sentenceOf(who: string, activity: Activity, deed: RecordedDeed): string {
  const phrase = phraseOf(activity);
  if (phrase) return phrase(who, deed);
  const verb = activity.slice(activity.lastIndexOf('_') + 1);
  return verb === 'updated' ? updated(who, deed) : `${who} ${verb} ${thing(deed)}`;
}

function phraseOf(activity: string): Phrase | undefined {
  const known: Readonly<Record<string, Phrase>> = phrases;
  return Object.hasOwn(known, activity) ? known[activity] : undefined;
}

/** Words of a kind that are not those of its name. */
const kindWords: Readonly<Record<string, string>> = {
  api_key: 'API key',
  question_reply: 'reply',
  category: 'event category',
  dashboard_group: 'dashboard group',
};

function thing({ subject }: RecordedDeed): string {
  if (!subject) return 'something';
  return `the ${kindWords[subject.kind] ?? subject.kind.replaceAll('_', ' ')} ${subject.title}`;
}

function counted({ related }: RecordedDeed, what: string): string {
  const count = related?.ids.length ?? 0;
  return count === 1 ? `a ${what}` : `${count} ${what}s`;
}

/** Fields that a sentence names; of more it says how many. */
const maxNamed = 3;

function updated(who: string, deed: RecordedDeed): string {
  const fields = [...new Set((deed.changes ?? []).map(({ field }) => wordsOf(field)))];
  if (fields.length === 0) return `${who} saved ${thing(deed)} as it was`;
  const named = fields.slice(0, fields.length > maxNamed ? maxNamed - 1 : maxNamed);
  const others = fields.length - named.length;
  const all = others > 0 ? [...named, `${others} other fields`] : named;
  const last = all.at(-1) ?? '';
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${last}` : last;
  return `${who} updated ${thing(deed)}: ${list}`;
}

/** Words of a field that are not those of its name. */
const fieldWords: Readonly<Record<string, string>> = {
  definition: 'documentation',
  pii: 'PII',
  sql: 'SQL',
  url: 'address',
  isEnabled: 'whether it is enabled',
  isPk: 'primary key',
  metricConfig: 'settings of the metric',
};

function wordsOf(field: string): string {
  const [name = field] = field.split('.');
  const known = fieldWords[name];
  if (known) return known;
  const words = name.replace(/Ids$/, 's').replace(/Id$/, '');
  return words.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

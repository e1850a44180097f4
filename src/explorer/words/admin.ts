// The English words about people, keys, webhooks and what was done.

import { counted, number } from '../words.ts';

/** What somebody did, in words. */
export function activityName(activity: string): string {
  return activity.replaceAll('_', ' ');
}

/** A field, as people write it. */
export function fieldTitle(field: string): string {
  return field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

const events: Readonly<Record<string, string>> = {
  incident_opened: 'an incident opens',
  incident_reopened: 'an incident goes on after all',
  incident_resolved: 'an incident ends',
  monitor_failed: 'monitors can no longer measure',
  monitor_recovered: 'monitors can measure again',
  resource_changed: 'somebody changes a resource',
  incident_acknowledged: 'somebody takes care of an incident',
  job_succeeded: 'an import, sync or run is done',
  job_failed: 'an import, sync or run fails',
  question_asked: 'somebody asks a question',
  question_answered: 'a question is answered',
  lineage_changed: 'somebody changes lineage',
  ping: 'a test',
};

/** What a webhook is sent when. */
export function eventName(event: string): string {
  return events[event] ?? event.replaceAll('_', ' ');
}

export const auditWords = {
  title: 'Audit log',
  hidden: 'Your role may not read the audit log.',
  filters: 'Filters',
  who: 'By',
  anybody: 'Anybody',
  me: 'Me',
  what: 'What',
  anything: 'Anything',
  subject: 'On',
  subjectFind: 'A part of its name',
  from: 'From',
  to: 'To',
  clear: 'Clear the filters',
  none: 'No entry is like that.',
  noneYet: 'Nothing has been changed yet.',
  count: (count: number) => counted(count, 'entry', 'entries'),
  differences: (count: number) => counted(count, 'difference'),
  system: 'Headwater',
  nothing: 'nothing',
  before: 'before',
  after: 'after',
};

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export const adminWords = {
  title: 'Admin',
  hidden: 'Your role may not manage anything here.',
  parts: {
    people: 'People',
    groups: 'Groups',
    teams: 'Teams',
    tags: 'Tags',
    keys: 'API keys',
    rules: 'Notification rules',
    webhooks: 'Webhooks',
  },
  part: 'What',
  none: 'There are none yet.',

  find: 'Name or address',
  deactivated: 'Show those who were deactivated',
  addPerson: 'Add somebody',
  email: 'Email address',
  firstName: 'Given name',
  lastName: 'Family name',
  role: 'Role',
  roles: { admin: 'admin', editor: 'editor', viewer: 'viewer', guest: 'guest' },
  roleOf: (name: string) => `Role of ${name}`,
  add: 'Add',
  deactivate: 'Deactivate',
  deactivateMeans: 'Their keys stop working at once. What they wrote stays.',
  reactivate: 'Reactivate',
  isDeactivated: 'deactivated',
  you: 'you',
  sessions: 'sessions',

  name: 'Name',
  description: 'What it is for',
  save: 'Save',
  rename: 'Rename',
  remove: 'Delete',
  members: (count: number) => counted(count, 'member'),
  ofWhat: (name: string) => `of ${name}`,
  addMember: (name: string) => `Add to ${name}`,
  addMemberNone: 'Choose somebody …',
  groupsAre:
    'A group owns things together: its members are notified of them. Roles and teams by groups of a sign-in provider are set in its file.',
  makeGroup: 'Create a group',
  owns: (count: number) => `owns ${counted(count, 'resource')}`,
  deleteGroupMeans: 'Its resources will no longer have this owner.',
  teamsAre:
    'A team holds a part of the catalog. Guests see what their teams hold, and nothing else.',
  makeTeam: 'Create a team',
  teamType: 'Who may join',
  teamTypes: { OPEN: 'Anybody', CLOSED: 'Invite only' },
  defaultTeam: 'default',
  closedTeam: 'closed',
  holds: (count: number) => `holds ${counted(count, 'resource')}`,
  tagsAre:
    'A tag says in a word what things have in common: searches and notification rules go by it.',
  makeTag: 'Create a tag',
  tagged: (count: number) => `on ${counted(count, 'resource')}`,
  deleteTagMeans: 'It is taken off everything.',
  deleteWebhookMeans: 'Its log of deliveries goes with it.',
  deleteTeamMeans: 'What only it holds moves to the default team.',

  rulesAre:
    'Owners and subscribers are notified anyway. A rule notifies others, in their inbox, by email, in chat or by a webhook.',
  ruleSays: (whom: readonly string[], when: readonly string[], on: readonly string[]) =>
    `${whom.length === 0 ? 'no recipients' : whom.join(', ')} · when ${when.join(', ')}${on.length === 0 ? '' : ` · only on ${on.join(', ')}`}`,
  ruleTagged: (tag: string) => `what is tagged ${tag}`,
  ruleHeld: (team: string) => `what ${team} holds`,
  ruleSeverity: (severity: string) => `incidents of severity ${severity}`,
  ruleHours: (from: number, until: number, on: readonly number[]) =>
    `sent from ${from} to ${until} o'clock${on.length === 0 ? '' : ` on ${on.map((day) => weekdays[day]).join(', ')}`}`,
  ruleSeverities: 'Severities',
  ruleMetrics: 'Metrics',
  ruleHoursToo: 'Only in business hours: what happens outside of them is held until they begin',
  hoursFrom: 'From, o\u2019clock',
  hoursUntil: 'Until, o\u2019clock',
  hoursDays: 'Days',
  days: weekdays,
  ruleUpstream: 'and upstream of those',
  ruleUpstreamToo: 'Also incidents upstream of them',
  makeRule: 'Create a rule',
  ruleWhen: 'Notifies when',
  ruleOn: 'Only on',
  ruleOnHint: 'With nothing chosen, it is about everything.',
  ruleResource: 'These, and what lies within them',
  ruleResourceFind: 'Find a schema, a table …',
  ruleResourceNone: 'There is nothing like that.',
  ruleWhom: 'Notifies',
  ruleChannels: 'Chat channels',
  ruleEmails: 'Email addresses, with commas between them',
  ruleNoEmail: 'No mail server is set, so no email is sent.',

  makeKey: 'Create a key',
  keyName: 'What it is for',
  keyOf: 'Acts for',
  keyEnds: 'Ends on',
  keyUsual: 'Leave empty for the usual time: a year, unless the server sets another.',
  keyScope: 'May',
  keyScopes: {
    READ: 'Read',
    WRITE: 'Read and change',
    IMPORT: 'Import only',
    REPORT: 'Send reports only',
    ADMIN: 'Do everything its user may',
  },
  keyMade: 'This is the key. It is shown this once; keep it now.',
  copyKey: 'Copy the key',
  done: 'I have it',
  revoke: 'Revoke',
  revoked: 'revoked',
  expired: 'expired',
  usedFrom: 'from',
  lastUsed: 'last used',
  neverUsed: 'never used',
  ends: 'ends',
  actsFor: 'acts for',

  makeWebhook: 'Create a webhook',
  webhookName: 'Name',
  webhookUrl: 'Address',
  webhookFormat: 'In the form of',
  webhookFormats: {
    headwater: 'Headwater, signed',
    slack: 'Slack',
    teams: 'Microsoft Teams',
    pagerduty: 'PagerDuty',
    opsgenie: 'Opsgenie',
  },
  webhookKey: 'Key of the service',
  webhookEvents: 'Sent when',
  secretMade: 'Requests are signed with this secret. It is shown this once; keep it now.',
  copySecret: 'Copy the secret',
  test: 'Test it',
  testing: 'Asking …',
  tested: (status: number | null, ms: number) =>
    `It answered${status === null ? '' : ` ${number(status)}`} in ${number(ms)} ms.`,
  enabled: 'on',
  disabled: 'off',
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  deliveries: 'Deliveries',
  noDeliveries: 'Nothing was sent yet.',
  redeliver: 'Send it again',
  attempts: (count: number) => counted(count, 'attempt'),
  body: 'What was sent',

  when: 'sent when',
};

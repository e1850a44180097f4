// The English words about monitors and incidents.

import { counted, number } from '../words.ts';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00 UTC`;

interface Schedule {
  readonly cadence: string;
  readonly frequency: number;
  readonly hour: number;
  readonly day: number;
}

/** When a monitor runs, in words. */
export function scheduleInWords({ cadence, frequency, hour, day }: Schedule): string {
  if (cadence === 'hourly') {
    return frequency === 1 ? 'every hour' : `every ${frequency} hours`;
  }
  if (cadence === 'weekly') return `on ${days[day] ?? 'Monday'}s at ${clock(hour)}`;
  if (cadence === 'monthly') return `on day ${day} of the month at ${clock(hour)}`;
  return `daily at ${clock(hour)}`;
}

const statuses: Readonly<Record<string, string>> = {
  disabled: 'paused',
  // Until it ends, also while values are in range again.
  incident: 'incident open',
  error: 'run failed',
  pending: 'never ran',
  active: 'open',
};

/** What a status of a monitor or an incident is called. */
export function statusName(status: string): string {
  return statuses[status] ?? status;
}

const deeds: Readonly<Record<string, string>> = {
  acknowledged: 'acknowledged it',
  auto_resolved: 'resolved it',
  comment: 'commented',
  marked_normal: 'said that a value was normal',
  notification_failed: 'could not notify somebody',
  notification_initial: 'sent notifications',
  reopened: 'opened it again',
  resolved: 'resolved it',
};

/** What somebody did about an incident. */
export function deedName(type: string): string {
  return deeds[type] ?? type.replaceAll('_', ' ');
}

const ends: Readonly<Record<string, string>> = {
  expected: 'This is the new normal',
  false_positive: 'It was a false alarm',
  fixed: 'It is fixed',
  monitor_deleted: 'Its monitor was deleted',
  monitor_disabled: 'Its monitor was paused',
  new_level: 'The level has changed',
  other: 'Another reason',
  recovered: 'The values are in range again',
};

/** Why an incident ended. */
export function endName(reason: string): string {
  return ends[reason] ?? reason.replaceAll('_', ' ');
}

export const chartWords = {
  slider: (name: string) => `${name}, measurements`,
  expected: (lower: string | null, upper: string | null) =>
    upper === null
      ? `at least ${lower}`
      : lower === null
        ? `at most ${upper}`
        : `${lower} to ${upper}`,
  wanted: 'expected',
  noRange: 'no range was known yet',
  incident: 'incident',
  normal: 'said to be normal',
  beyond: 'beyond the scale',
  asTable: 'As a table',
  when: 'When',
  value: 'Value',
  range: 'Expected',
  thinned: (shown: number, total: number) =>
    `${number(shown)} of ${number(total)} measurements are drawn: of each stretch of time the first and last, the lowest and highest, and the one farthest out of its range.`,
  nothing: 'Nothing was measured in this time.',
};

export const monitorWords = {
  title: 'Monitors',
  make: 'New monitor',
  all: 'All',
  tabs: 'Status',
  filters: 'Filters',
  find: 'Name or table',
  owner: 'Owner',
  anybody: 'Anybody',
  me: 'Me',
  source: 'Source',
  anySource: 'Any source',
  urgent: 'Needs attention',
  others: 'Others',
  count: (count: number) => counted(count, 'monitor'),
  none: 'There are no monitors yet.',
  noneHow:
    'A monitor measures a table or a column again and again, and opens an incident when a value is not as expected.',
  noneHere: 'No monitor is like that.',
  clear: 'Clear the filters',
  muted: 'muted',
  never: 'not measured yet',

  missing: 'There is no such monitor',
  missingHow: 'It was deleted, its address is wrong, or you may not see what it watches.',
  remove: 'Delete',
  removeMeans: 'Its measurements and incidents go with it.',
  on: 'On',
  lastRun: 'Last run',
  nextRun: 'Next run',
  due: 'Due now',
  paused: 'It is paused.',
  declared: (where: string) =>
    `It is declared in ${where}. Change it there and import the project again.`,
  failed: 'The last run failed.',
  range: 'Time',
  ranges: { 7: '7 days', 30: '30 days', 90: '90 days', 365: 'a year' },
  measured: 'Measured',
  run: 'Run now',
  running: 'Running …',
  ran: 'It ran.',
  pause: 'Pause',
  pauseMeans: 'Pausing resolves its open incident.',
  resume: 'Resume',
  mute: 'Mute',
  muteFor: 'Mute for',
  muteTimes: { 1: 'an hour', 8: '8 hours', 24: 'a day', 168: 'a week', 720: '30 days' },
  mutedUntil: 'New incidents are muted until',
  unmute: 'Unmute',
  learning: 'Learning',
  learned: (known: number, needed: number) =>
    `${number(Math.min(known, needed))} of ${number(needed)} measurements that it needs before it says anything.`,
  why: 'Why this range',
  whyNot: 'Nothing was measured yet.',
  markNormal: 'This was normal',
  unmarkNormal: 'It was not normal after all',
  incidents: 'Incidents',
  noIncidents: 'It never opened one.',
  settings: 'Range',
  isLearned: 'Learned from the history',
  isGiven: 'Set by hand',
  sensitivity: 'Sensitivity',
  sensitivityHint: 'A higher value alerts sooner.',
  adaptation: 'When the level shifts',
  adaptations: {
    robust: 'keep alerting',
    normal: 'follow, and keep the incident open',
    agile: 'follow, and end the incident',
  },
  lowest: 'Lowest expected value',
  highest: 'Highest expected value',
  backtest: (incidents: number, points: number) =>
    incidents === 0
      ? `So it would have opened no incident over ${counted(points, 'measurement')}.`
      : `So it would have opened ${counted(incidents, 'incident')} over ${counted(points, 'measurement')}.`,
  asItIs: (incidents: number) =>
    `With this range, the history has ${counted(incidents, 'incident')}.`,
  backtesting: 'Trying it on the history …',
  save: 'Save',
  undo: 'Discard the changes',
  saved: 'Saved. It holds from the next run on; what was judged before stays.',
  needBound: 'Give a lowest value, a highest value or both.',

  making: 'New monitor',
  target: 'What to measure',
  targetFind: 'Find a table or a column',
  targetHint: 'Of a database that is connected as a source.',
  targetChange: 'Change',
  targetNone: 'Nothing like that can be measured.',
  metric: 'Metric',
  metricNone: 'Nothing about this can be measured.',
  query: 'Query that answers one number',
  settingsOf: {
    values: 'Accepted values, one a line',
    keyColumns: 'Columns of the key, one a line',
    pattern: 'Regular expression, as the source writes them',
    references: 'Id of the column that it refers to',
  },
  timeColumn: 'Column of times',
  timeColumnHint:
    'Each value is then of one closed period, and the last 90 are measured at once. Empty for all rows.',
  dimension: 'Column to divide by',
  dimensionHint: 'Its 50 largest values are measured one by one as well, such as each country.',
  newestQuery: 'Query that answers the newest time',
  newestQueryHint: 'Empty for a column of the table, or what the source itself knows.',
  exclude: 'Tables to leave out, one a line',
  excludeHint: 'A star stands for any letters, as in tmp_* or staging.*.',
  segments: (column: string) => `By ${column}`,
  byTable: 'By table',
  without: (patterns: string) => `without ${patterns}`,
  table: 'Table',
  byPeriod: (column: string) => `by period of ${column}`,
  value: 'Value',
  expectedRange: 'Expected',
  verdicts: { above: 'too high', below: 'too low' },
  name: 'Name',
  nameHint: 'Leave it empty to name it after what it measures.',
  how: 'When it runs',
  cadences: { hourly: 'Every few hours', daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' },
  every: 'Hours between runs',
  hour: 'Hour, UTC',
  weekday: 'Day',
  weekdays: days,
  monthday: 'Day of the month',
  try: 'Try it',
  trying: 'Asking the source …',
  tryHint: 'Measures once, and keeps nothing.',
  wouldMeasure: 'Now it measures',
  wouldOpen: 'It would open an incident at once',
  outcomes: {
    MEASURED: '',
    REFUSED: 'The source refuses this.',
    FAILED: 'The source does not answer with a number.',
    NO_ANSWER: 'The source does not answer.',
  },
  create: 'Create',
  creating: 'Creating …',
  may: 'Your role may not make monitors.',
};

export const incidentWords = {
  failingRows: 'Rows that fail',
  failingRowsHint:
    'Some of them, as long as the incident is open; only you and others who may write SQL for the source see them.',
  oneCause: 'One cause',
  title: 'Incidents',
  asked: { acknowledge: 'Acknowledge this incident?', resolve: 'Resolve it as fixed?' },
  yes: 'Yes',
  no: 'No',
  until: 'Expected until',
  live: 'This page updates by itself.',
  columns: { active: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved' },
  empty: {
    active: 'None is open.',
    acknowledged: 'No incident is being worked on.',
    resolved: 'None has been resolved yet.',
  },
  severity: 'Severity',
  anySeverity: 'Any severity',
  assignee: 'Assigned to',
  nobody: 'No assignee',
  anybody: 'Anybody',
  me: 'Me',
  source: 'Source',
  anySource: 'Any source',
  filters: 'Filters',
  clear: 'Clear the filters',
  since: 'since',
  ended: 'ended',

  missing: 'There is no such incident',
  missingHow: 'Its monitor was deleted, its address is wrong, or you may not see what it is about.',
  why: 'Why it was opened',
  monitor: 'Monitor',
  on: 'On',
  downstream: 'What it reaches',
  nothingDownstream: 'Nothing in the catalog uses it.',
  reaches: (count: number, isMore: boolean) =>
    `${isMore ? 'More than ' : ''}${counted(count, 'thing')} downstream.`,
  owners: 'Notify:',
  noOwners: 'No owners.',
  picture: 'Show the lineage',
  history: 'What happened',
  opened: 'It was opened.',
  system: 'Headwater',
  goodRuns: (count: number) => `${counted(count, 'value')} in range since; three in a row end it.`,
  act: 'Actions',
  acknowledge: 'Acknowledge',
  reopen: 'Reopen',
  resolve: 'Resolve',
  reason: 'Why',
  comment: 'Comment',
  commentHint: 'A comment acknowledges an open incident.',
  send: 'Comment',
  conflict:
    'Somebody changed this incident while you looked; this is how it is now. Look again, and repeat it if it is still right.',
};

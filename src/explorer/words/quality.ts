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

const deeds: Readonly<Record<string, string>> = {
  acknowledged: 'acknowledged',
  auto_resolved: 'resolved',
  comment: 'commented',
  marked_normal: 'marked a value as normal',
  notification_failed: 'notification failed',
  notification_initial: 'sent notifications',
  reopened: 'reopened',
  resolved: 'resolved',
};

/** What somebody did about an incident. */
export function deedName(type: string): string {
  return deeds[type] ?? type.replaceAll('_', ' ');
}

const ends: Readonly<Record<string, string>> = {
  expected: 'New normal',
  false_positive: 'False alarm',
  fixed: 'Fixed',
  monitor_deleted: 'Monitor deleted',
  monitor_disabled: 'Monitor paused',
  new_level: 'Level changed',
  other: 'Another reason',
  recovered: 'Back in range',
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
  noRange: 'still learning',
  incident: 'incident',
  normal: 'marked normal',
  beyond: 'off the scale',
  emptyBefore: (day: string) => `No measurements before ${day}`,
  asTable: 'As a table',
  when: 'When',
  value: 'Value',
  range: 'Expected',
  thinned: (shown: number, total: number) =>
    `Showing ${number(shown)} of ${number(total)} measurements: the first, last, lowest, highest and most unusual of each interval.`,
  nothing: 'No measurements in this period',
};

export const monitorWords = {
  title: 'Monitors',
  make: 'New monitor',
  all: 'All',
  tabs: 'Status',
  filters: 'Filters',
  find: 'Name or table',
  owner: 'Owner',
  anybody: 'Anyone',
  me: 'Me',
  source: 'Source',
  anySource: 'Any source',
  urgent: 'Needs attention',
  others: 'Others',
  count: (count: number) => counted(count, 'monitor'),
  none: 'No monitors yet',
  noneHow:
    'Monitors measure a table or column on a schedule and open an incident when a value is unexpected.',
  noneHere: 'No matches',
  clear: 'Clear filters',
  muted: 'muted',
  never: 'not measured yet',

  missing: 'Monitor not found',
  missingHow: 'It may have been deleted, or you don’t have access.',
  remove: 'Delete',
  removeMeans: 'This also deletes its measurements and incidents.',
  on: 'Table',
  lastRun: 'Last run',
  nextRun: 'Next run',
  due: 'Due now',
  paused: 'Paused',
  declared: (where: string) => `Defined in ${where}. Edit it there and import again.`,
  failed: 'The last run failed.',
  range: 'Time range',
  ranges: { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' },
  measured: 'History',
  run: 'Run now',
  running: 'Running …',
  ran: 'Run finished',
  pause: 'Pause',
  pauseMeans: 'Pausing resolves its open incident.',
  resume: 'Resume',
  mute: 'Mute',
  muteFor: 'Mute for',
  muteTimes: { 1: 'an hour', 8: '8 hours', 24: 'a day', 168: 'a week', 720: '30 days' },
  mutedUntil: 'Muted until',
  unmute: 'Unmute',
  learning: 'Learning',
  learned: (known: number, needed: number) =>
    `Learning: ${number(Math.min(known, needed))} of ${number(needed)} measurements`,
  why: 'How the range was set',
  whyNot: 'No measurements yet',
  markNormal: 'Mark as normal',
  unmarkNormal: 'Undo',
  incidents: 'Incidents',
  noIncidents: 'No incidents',
  settings: 'Range',
  isLearned: 'Automatic',
  isGiven: 'Manual',
  sensitivity: 'Sensitivity',
  sensitivityHint: 'Higher is more sensitive',
  adaptation: 'When the level shifts',
  adaptations: {
    robust: 'keep alerting',
    normal: 'follow, and keep the incident open',
    agile: 'follow, and end the incident',
  },
  lowest: 'Minimum',
  highest: 'Maximum',
  hours: 'hours',
  inUnit: (label: string, unit: string) => `${label} (${unit})`,
  backtest: (incidents: number, points: number) =>
    incidents === 0
      ? `Would have opened no incidents in ${counted(points, 'measurement')}.`
      : `Would have opened ${counted(incidents, 'incident')} in ${counted(points, 'measurement')}.`,
  asItIs: (incidents: number) =>
    incidents === 0
      ? 'No incidents with this range'
      : `${counted(incidents, 'incident')} with this range`,
  backtesting: 'Testing on the history …',
  save: 'Save',
  undo: 'Discard changes',
  saved: 'Saved. Applies from the next run.',
  needBound: 'Enter a minimum, a maximum or both.',

  making: 'New monitor',
  target: 'Table or column',
  targetFind: 'Find a table or a column',
  targetHint: 'In a database that is connected as a source',
  metric: 'Metric',
  metricNone: 'No metrics for this resource',
  query: 'SQL returning one number',
  settingsOf: {
    values: 'Accepted values, one per line',
    keyColumns: 'Key columns, one per line',
    pattern: 'Regular expression, in the syntax of the source',
  },
  timeColumn: 'Time column',
  timeColumnHint:
    'Measures each closed period by itself, starting with the last 90. Leave empty to measure all rows.',
  dimension: 'Group by column',
  dimensionHint: 'Also measures its 50 largest values one by one, such as each country.',
  newestQuery: 'SQL returning the newest time',
  newestQueryHint: 'Leave empty to use a column of the table or the time the source reports.',
  exclude: 'Excluded tables, one per line',
  excludeHint: '* matches any characters, as in tmp_* or staging.*',
  segments: (column: string) => `By ${column}`,
  byTable: 'By table',
  without: (patterns: string) => `without ${patterns}`,
  table: 'Table',
  byPeriod: (column: string) => `by period of ${column}`,
  value: 'Value',
  expectedRange: 'Expected',
  verdicts: { above: 'too high', below: 'too low' },
  name: 'Name',
  nameHint: 'Leave empty to name it after what it measures.',
  how: 'Schedule',
  cadences: { hourly: 'Every few hours', daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' },
  every: 'Hours between runs',
  hour: 'Hour, UTC',
  weekday: 'Day',
  weekdays: days,
  monthday: 'Day of the month',
  try: 'Run a test',
  trying: 'Testing …',
  tryHint: 'Runs once without saving',
  estimate: 'Estimate the bytes read',
  estimating: 'Estimating …',
  estimateHint: 'Asks what a run would read. Nothing is run or billed.',
  wouldRead: 'Each run reads about',
  billed: 'The source bills by bytes read.',
  wouldMeasure: 'Current value:',
  wouldOpen: 'Would open an incident now',
  outcomes: {
    MEASURED: '',
    ESTIMATED: 'The query didn’t run.',
    REFUSED: 'The source refused the query.',
    FAILED: 'The query didn’t return a number.',
    NO_ANSWER: 'The source didn’t respond.',
  },
  create: 'Create monitor',
  creating: 'Creating …',
  may: 'You don’t have access to this page.',
};

export const incidentWords = {
  failingRows: 'Failing rows',
  failingRowsHint:
    'A sample, kept while the incident is open. Visible only to people who can write SQL for the source.',
  oneCause: 'Shared cause',
  title: 'Incidents',
  asked: { acknowledge: 'Acknowledge this incident?', resolve: 'Resolve this incident as fixed?' },
  yes: 'Yes',
  no: 'No',
  until: 'Expected until',
  live: 'Live',
  columns: { active: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved' },
  empty: {
    active: 'No open incidents',
    acknowledged: 'None acknowledged',
    resolved: 'None resolved',
  },
  severity: 'Severity',
  anySeverity: 'Any severity',
  assignee: 'Assigned to',
  noAssignee: 'No assignee',
  anybody: 'Anyone',
  me: 'Me',
  source: 'Source',
  anySource: 'Any source',
  filters: 'Filters',
  clear: 'Clear filters',
  since: 'since',
  ended: 'ended',
  resolvedThen: 'Resolved',

  missing: 'Incident not found',
  missingHow: 'Its monitor may have been deleted, or you don’t have access.',
  why: 'Cause',
  monitor: 'Monitor',
  on: 'Breadcrumbs',
  downstream: 'Downstream impact',
  nothingDownstream: 'No downstream resources',
  reaches: (count: number, isMore: boolean) =>
    `${isMore ? 'More than ' : ''}${counted(count, 'downstream resource')}`,
  owners: 'Owners to notify:',
  noOwners: 'No owners',
  picture: 'View lineage',
  history: 'Timeline',
  opened: 'Opened',
  system: 'Headwater',
  act: 'Actions',
  acknowledge: 'Acknowledge',
  reopen: 'Reopen',
  resolve: 'Resolve',
  comment: 'Comment',
  commentHint: 'A comment acknowledges an open incident.',
  send: 'Add comment',
  conflict: 'Someone else updated this incident. Review and try again.',
};

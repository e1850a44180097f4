// The rules of incidents: what each event makes of a monitor's incident.
//
// It decides and does nothing: the caller holds the monitor's row, writes what was decided in one
// transaction, and sends notifications through the outbox.

import type { NewLevel, Verdict } from '../learning/threshold.ts';

/** Why an incident ended. */
export const RESOLVE_REASONS = ['false_positive', 'fixed', 'expected', 'other'] as const;
export type ResolveReason =
  | (typeof RESOLVE_REASONS)[number]
  | 'recovered'
  | 'new_level'
  | 'monitor_disabled'
  | 'monitor_deleted';

/** What the rules need to know of an incident; times are milliseconds since 1970. */
export interface IncidentState {
  readonly status: 'active' | 'acknowledged' | 'resolved';
  readonly firstSeenAt: number;
  /** The latest measurement out of range. */
  readonly lastSeenAt: number;
  /** The latest value out of range. */
  readonly value: number;
  /** Measurements in range since, in a row. */
  readonly goodRuns: number;
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
  readonly resolveReason: ResolveReason | null;
}

/** A monitor as the rules see it. `incident` is its latest one, open or resolved. */
export interface WatchedMonitor {
  readonly isEnabled: boolean;
  readonly incident: IncidentState | null;
  /** A value out of range is expected for now, and opens nothing. */
  readonly isExpected?: boolean;
}

/** What can happen to a monitor's incident. */
export type IncidentEvent =
  | {
      readonly type: 'measured';
      at: number;
      value: number;
      verdict: Verdict;
      level?: NewLevel | null;
      /** Measurements in range, in a row, after which its incident is over; three unless given. */
      isOverAfter?: number;
    }
  | { readonly type: 'run_failed'; at: number }
  | { readonly type: 'commented'; at: number }
  | { readonly type: 'acknowledged'; at: number }
  | { readonly type: 'marked_normal'; at: number }
  | { readonly type: 'resolved'; at: number; reason: (typeof RESOLVE_REASONS)[number] }
  | { readonly type: 'reopened'; at: number }
  | { readonly type: 'monitor_disabled'; at: number }
  | { readonly type: 'monitor_enabled'; at: number }
  | { readonly type: 'monitor_deleted'; at: number };

/** An entry in an incident's list of actions, as the API names them. */
export type IncidentActionType =
  | 'notification_initial'
  | 'notification_failed'
  | 'acknowledged'
  | 'comment'
  | 'marked_normal'
  | 'resolved'
  | 'auto_resolved'
  | 'reopened';

/** What follows from an event. */
export interface Decision {
  /** The monitor afterwards. */
  readonly watch: WatchedMonitor;
  /** True when `watch.incident` is a new incident, to be written as a row of its own. */
  readonly opened: boolean;
  /** True when the measurement belongs to `watch.incident`. */
  readonly attached: boolean;
  /** To be recorded on the incident, in this order. */
  readonly actions: readonly IncidentActionType[];
  /** What people are notified of: that it began, in its thread that it goes on after all, or that it is over. */
  readonly notify: 'opened' | 'reopened' | 'resolved' | null;
  /** Why the event could not be taken, for the person who caused it; null when it was. */
  readonly refused: string | null;
}

/** Measurements in range, in a row, after which an incident resolves by itself. */
const GOOD_RUNS_TO_RESOLVE = 3;

/** A monitor that has never had an incident. */
export const UNTROUBLED: WatchedMonitor = { isEnabled: true, incident: null };

/**
 * Decide what an event makes of a monitor's incident: what happens when a measurement is out of range, when
 * one is back in it, and when a person says something of it.
 */
export function decide(watch: WatchedMonitor, event: IncidentEvent): Decision {
  const open = openIncident(watch);
  switch (event.type) {
    case 'measured':
      return measured(watch, open, event);
    case 'run_failed':
      // A source that can't be reached says nothing about the data, neither good nor bad.
      return unchanged(watch);
    case 'commented':
      return commented(watch, open, event.at);
    case 'acknowledged':
      if (open === null) return refused(watch, 'Only an open incident can be acknowledged.');
      if (open.status === 'acknowledged') return unchanged(watch);
      return changed(watch, acknowledge(open, event.at), ['acknowledged']);
    case 'marked_normal':
      if (watch.incident === null) return unchanged(watch);
      return changed(watch, watch.incident, ['marked_normal']);
    case 'resolved':
      if (open === null) return refused(watch, 'The incident is resolved already.');
      return ended(watch, resolve({ ...open, goodRuns: 0 }, event.at, event.reason), 'resolved');
    case 'reopened':
      return reopened(watch, event.at);
    case 'monitor_disabled':
    case 'monitor_deleted':
      return stopped({ ...watch, isEnabled: false }, open, event.type, event.at);
    case 'monitor_enabled':
      return unchanged({ ...watch, isEnabled: true });
  }
}

/** The incident of a monitor that is not resolved; there is one at most. */
function openIncident(watch: WatchedMonitor): IncidentState | null {
  return watch.incident === null || watch.incident.status === 'resolved' ? null : watch.incident;
}

function measured(
  watch: WatchedMonitor,
  open: IncidentState | null,
  {
    at,
    value,
    verdict,
    level = null,
    isOverAfter = GOOD_RUNS_TO_RESOLVE,
  }: Extract<IncidentEvent, { type: 'measured' }>,
): Decision {
  // Without a range a value is neither good nor bad; a paused monitor alarms no one.
  if (verdict === 'learning' || !watch.isEnabled) return unchanged(watch);
  if (verdict === 'within')
    return open === null ? proven(watch) : recovering(watch, open, at, isOverAfter);
  if (open === null && isUnproven(watch.incident))
    return relapsed(watch, watch.incident, at, value);
  if (verdict === 'new_level') {
    if (open === null) return unchanged(watch);
    // Neither good nor bad: the range has followed a fault or a change, and only people know which.
    if (level?.isForgotten) return ended(watch, resolve(open, at, 'new_level'), 'auto_resolved');
    return changed(watch, { ...open, value, goodRuns: 0 }, []);
  }
  if (open === null && watch.isExpected) return unchanged(watch);
  if (open === null) {
    const opened = { ...unchanged({ ...watch, incident: newIncident(at, value) }), opened: true };
    return { ...opened, attached: true, actions: ['notification_initial'], notify: 'opened' };
  }
  const lastSeenAt = Math.max(open.lastSeenAt, at);
  const incident = { ...open, lastSeenAt, value, goodRuns: 0 };
  return { ...changed(watch, incident, []), attached: true };
}

function recovering(
  watch: WatchedMonitor,
  open: IncidentState,
  at: number,
  isOverAfter: number,
): Decision {
  const counted = { ...open, goodRuns: open.goodRuns + 1 };
  if (counted.goodRuns < isOverAfter) return changed(watch, counted, []);
  return ended(watch, resolve(counted, at, 'recovered'), 'auto_resolved');
}

/** An incident that a person called fixed, and no three values in range have shown it yet. */
function isUnproven(incident: IncidentState | null): incident is IncidentState {
  return incident?.resolveReason === 'fixed' && incident.goodRuns < GOOD_RUNS_TO_RESOLVE;
}

function proven(watch: WatchedMonitor): Decision {
  const { incident } = watch;
  if (!isUnproven(incident)) return unchanged(watch);
  return changed(watch, { ...incident, goodRuns: incident.goodRuns + 1 }, []);
}

/** What was called fixed is not: the incident goes on, and those are notified who heard that it was over. */
function relapsed(
  watch: WatchedMonitor,
  incident: IncidentState,
  at: number,
  value: number,
): Decision {
  const decision = changed(watch, { ...active(incident, at), value }, ['reopened']);
  return { ...decision, attached: true, notify: 'reopened' };
}

/** An incident that is open once more, and that no one has acknowledged since. */
function active(incident: IncidentState, at: number): IncidentState {
  const again = { goodRuns: 0, acknowledgedAt: null, resolvedAt: null, resolveReason: null };
  return { ...incident, ...again, status: 'active', lastSeenAt: Math.max(incident.lastSeenAt, at) };
}

/** A comment says that somebody is looking. On a resolved incident it is only a comment. */
function commented(watch: WatchedMonitor, open: IncidentState | null, at: number): Decision {
  if (watch.incident === null) return refused(watch, 'There is no incident to comment on.');
  if (open?.status !== 'active') return changed(watch, watch.incident, ['comment']);
  return changed(watch, acknowledge(open, at), ['comment', 'acknowledged']);
}

/** No one is notified again: who reopens an incident, or takes back that it is acknowledged, knows of it. */
function reopened(watch: WatchedMonitor, at: number): Decision {
  const { incident, isEnabled } = watch;
  if (incident?.status === 'acknowledged') {
    const unclaimed = { ...incident, status: 'active' as const, acknowledgedAt: null };
    return changed(watch, unclaimed, ['reopened']);
  }
  if (incident?.status !== 'resolved') {
    return refused(watch, 'Only a resolved or acknowledged incident reopens.');
  }
  if (!isEnabled) return refused(watch, 'The monitor is disabled; enable it first.');
  return changed(watch, active(incident, at), ['reopened']);
}

function stopped(
  watch: WatchedMonitor,
  open: IncidentState | null,
  reason: 'monitor_disabled' | 'monitor_deleted',
  at: number,
): Decision {
  if (open === null) return unchanged(watch);
  return ended(watch, resolve(open, at, reason), 'resolved');
}

function newIncident(at: number, value: number): IncidentState {
  return {
    status: 'active',
    firstSeenAt: at,
    lastSeenAt: at,
    value,
    goodRuns: 0,
    acknowledgedAt: null,
    resolvedAt: null,
    resolveReason: null,
  };
}

function acknowledge(open: IncidentState, at: number): IncidentState {
  return { ...open, status: 'acknowledged', acknowledgedAt: at };
}

function resolve(open: IncidentState, at: number, reason: ResolveReason): IncidentState {
  return { ...open, status: 'resolved', resolvedAt: at, resolveReason: reason };
}

const unchanged = (watch: WatchedMonitor): Decision => ({
  watch,
  opened: false,
  attached: false,
  actions: [],
  notify: null,
  refused: null,
});

const refused = (watch: WatchedMonitor, why: string): Decision => ({
  ...unchanged(watch),
  refused: why,
});

const changed = (
  watch: WatchedMonitor,
  incident: IncidentState,
  actions: readonly IncidentActionType[],
): Decision => ({ ...unchanged({ ...watch, incident }), actions });

const ended = (
  watch: WatchedMonitor,
  incident: IncidentState,
  action: IncidentActionType,
): Decision => ({
  ...changed(watch, incident, [action]),
  notify: 'resolved',
});

// The kinds of jobs.

/** Kinds by name: whether webhooks can be sent their ends. Those of the server's own work, no one waits for. */
const kinds = {
  import: { isAwaited: true },
  sync: { isAwaited: true },
  'sync.queries': { isAwaited: true },
  'monitors.run': { isAwaited: true },
  'tables.profile': { isAwaited: true },
  'resources.update': { isAwaited: true },
  'lineage.trace': { isAwaited: false },
  'incidents.tell': { isAwaited: false },
  'monitors.notify_failed': { isAwaited: false },
  'notifications.deliver': { isAwaited: false },
  'notifications.gather': { isAwaited: false },
  'notifications.mention': { isAwaited: false },
  'notifications.happening': { isAwaited: false },
  'openlineage.drain': { isAwaited: false },
  'openlineage.unseen': { isAwaited: false },
} as const;

/** The kind of a job. */
export type JobKind = keyof typeof kinds;

/** All kinds. */
export const jobKinds = Object.keys(kinds).filter((name): name is JobKind => name in kinds);

/** The kinds whose ends webhooks can be sent. */
export const awaitedKinds: readonly string[] = jobKinds.filter((kind) => kinds[kind].isAwaited);

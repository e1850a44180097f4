// What the states of monitors and incidents are called.

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

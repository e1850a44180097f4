// In charge of what can be told of, by its names.

/** What rules and webhooks name. */
export const events = ['incident_opened', 'incident_resolved', 'resource_changed'] as const;

export type Event = (typeof events)[number];

/** The event of that name, or undefined where there is none. */
export function eventOf(name: string): Event | undefined {
  return events.find((event) => event === name);
}

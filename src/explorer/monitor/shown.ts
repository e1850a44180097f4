// In charge of what the page of a monitor shows: its type, and what is asked for again when it changed.

import { MonitorIncidents, MonitorPage, type MonitorPageData } from './page.graphql';

/** A monitor that is there. */
export type MonitorThere = NonNullable<MonitorPageData['monitor']>;

/** Whose answers are out of date once the monitor was changed or has run. */
export const renewed = [MonitorPage, MonitorIncidents];

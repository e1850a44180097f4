// Data of the monitor page: its type, and what is asked again after a change.

import { MonitorIncidents, MonitorPage, type MonitorPageData } from './page.graphql';

/** A monitor that is there. */
export type MonitorThere = NonNullable<MonitorPageData['monitor']>;

/** Whose answers are out of date once the monitor was changed or has run. */
export const renewed = [MonitorPage, MonitorIncidents];

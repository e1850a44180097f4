// In charge of the types of what the page of a monitor shows.

import type { MonitorPageData } from './page.graphql';

/** A monitor that is there. */
export type MonitorThere = NonNullable<MonitorPageData['monitor']>;

// The type of what the page of an incident shows.

import type { IncidentPageData } from './page.graphql';

/** An incident that is there. */
export type IncidentThere = NonNullable<IncidentPageData['incident']>;

// The type of what the page shows.

import type { ResourcePageData } from './page.graphql';

/** A resource that is there. */
export type ResourceShown = NonNullable<ResourcePageData['resource']>;

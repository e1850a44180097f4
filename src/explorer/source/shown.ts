// The type of what the page of a source shows.

import type { SourcePageData } from './page.graphql';

/** A source that is there. */
export type SourceThere = NonNullable<SourcePageData['integration']>;

// Which kinds of resources a custom property covers.

import type { PropertyDefined } from './properties.graphql';

/** Whether resources of a kind may have the property. */
export function covers({ entityTypes }: PropertyDefined, kind: string): boolean {
  return entityTypes.some((covered) => covered === 'all' || covered === kind);
}

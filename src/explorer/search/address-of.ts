// Where a search that was kept is shown again.

import type { KeptSearch } from '../frame/frame.graphql';

/** Its page, with its words and filters. */
export function addressOfSearch(kept: KeptSearch): string {
  const given: readonly (readonly [string, string])[] = [
    ['q', kept.query],
    ['kinds', kept.kinds.join(',')],
    ['sources', kept.integrationIds.join(',')],
    ['teams', kept.teamIds.join(',')],
    ['owners', kept.ownerIds.join(',')],
    ['tags', kept.tagIds.join(',')],
  ];
  const set = given.filter(([, value]) => value !== '').map(([name, value]) => [name, value]);
  return `/search?${new URLSearchParams(set).toString().replaceAll('%2C', ',')}`;
}

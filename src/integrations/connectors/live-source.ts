// What a connector is opened with, besides its credentials.

import type { NetworkReach } from '../../network/reach.ts';

/** The source of an integration. */
export interface LiveSource {
  /** Names it among all of this process, so that all who use it share its few connections. */
  readonly id: string;
  readonly reach: NetworkReach;
}

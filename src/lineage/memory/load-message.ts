// Messages to and from the thread that reads graphs.

import type { LineageLevel } from '../neighbours.ts';
import type { Layout } from './layout.ts';

/** Which graph is to be read, and from where. */
export interface Wanted {
  readonly connectionString: string;
  readonly workspaceId: string;
  readonly level: LineageLevel;
  /** What it may take; a larger one is not read to its end. */
  readonly maxBytes: number;
}

/** A graph, and the moment of the database that it shows. */
export interface Loaded {
  readonly layout: Layout;
  readonly snapshot: string;
  readonly epoch: string;
}

export type FromLoader =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'loaded' } & Loaded)
  | { readonly kind: 'too large' | 'failed'; readonly message: string };

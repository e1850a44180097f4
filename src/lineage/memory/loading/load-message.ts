// Messages to and from the thread that reads graphs.

import type { LineageLevel } from '../../neighbours.ts';
import type { Layout } from '../layout.ts';

/** Which graph is to be read, and from where. */
export interface Wanted {
  readonly connectionString: string;
  readonly workspaceId: string;
  readonly level: LineageLevel;
  /** What it may take; a larger one is not read to its end. */
  readonly maxBytes: number;
  /** An earlier reading of it, of which only what has changed since is read again. */
  readonly base: GraphReading | null;
}

/** A graph as it was read, and the moment of the database that it shows. */
export interface GraphReading {
  readonly layout: Layout;
  readonly snapshot: string;
  readonly epoch: string;
}

/** A graph that was read; `isWhole` where all of it was, not only what had changed. */
export interface Loaded extends GraphReading {
  readonly isWhole: boolean;
}

export type FromLoader =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'loaded' } & Loaded)
  | { readonly kind: 'too large' | 'failed'; readonly message: string };

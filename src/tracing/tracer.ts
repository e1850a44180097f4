// Traces as the rest of the program sees them.

import type { TraceParent } from './trace-parent.ts';

/** How something that was traced ended. */
export interface SpanEnd {
  /** What it was, in words of which there are not many. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Whether it failed by a fault that is not the client's. */
  readonly isFault: boolean;
}

/** A request or a job in a trace. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Record a statement to the database, from and to a time of this process in milliseconds. */
  statement(text: string, began: number, ended: number): void;
  end(end: SpanEnd): void;
}

/** Records traces and sends them away. */
export interface Tracer {
  /** Begin to trace a request, as part of the trace that its client names. */
  request(parent: TraceParent | null): Span;
  /** Begin to trace a job. */
  job(): Span;
  /** Send what has not been sent, and stop. */
  close(): Promise<void>;
}

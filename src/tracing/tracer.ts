// In charge of traces as the rest of the program sees them: off, and not even loaded, unless it is told to.

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

/** What the environment says of traces; the names are those of OpenTelemetry. */
export type TraceSettings = Readonly<Record<string, string | undefined>>;

/**
 * Open what sends traces where the settings of OpenTelemetry name an endpoint; null where they don't, and
 * then nothing of it is loaded. Throws, in a sentence for the operator, where it can't be done.
 */
export async function openTracer(
  settings: TraceSettings,
  onNotice: (message: string) => void,
): Promise<Tracer | null> {
  if (!isWanted(settings)) return null;
  const protocol =
    settings.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || settings.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && protocol !== 'http/protobuf') {
    throw new Error(
      `Traces are sent as http/protobuf; OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} is not supported.`,
    );
  }
  try {
    const { startTracer } = await import('./opentelemetry.ts');
    return startTracer(onNotice);
  } catch (error) {
    throw new Error(
      'The packages that send traces are not installed: run npm ci without --omit=optional, or unset ' +
        'OTEL_EXPORTER_OTLP_ENDPOINT.',
      { cause: error },
    );
  }
}

function isWanted(settings: TraceSettings): boolean {
  const endpoint =
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff =
    settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true' ||
    settings.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(endpoint) && !isOff;
}

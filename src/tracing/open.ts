// Whether traces are sent at all: where the environment asks for it, and else nothing is loaded.

import type { Tracer } from './tracer.ts';

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

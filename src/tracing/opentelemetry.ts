// Sends traces with OpenTelemetry's own packages. Loaded only where somebody wants traces.

import { randomUUID } from 'node:crypto';
import {
  type Context,
  DiagLogLevel,
  diag,
  type Tracer as OpenTelemetryTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { programVersion } from '../process/program-version.ts';
import type { TraceParent } from './trace-parent.ts';
import type { Span, Tracer } from './tracer.ts';

/** A longer text of a statement is cut. */
const maxText = 2_000;
/** A stop does not wait longer for a receiver that does not answer. */
const closeMs = 5_000;

/**
 * Start to trace. Sampler, endpoint, headers, batches and the name of the service come from OpenTelemetry's
 * own settings, which its packages read from the environment.
 */
export function startTracer(onNotice: (message: string) => void): Tracer {
  const quiet = () => {};
  const report = (message: string) => onNotice(`Traces: ${message}`);
  diag.setLogger(
    { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const own = resourceFromAttributes({
    'service.name': 'headwater',
    'service.version': programVersion(),
    'service.instance.id': randomUUID(),
  });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('headwater', programVersion());
  return {
    request: (parent) => begin(tracer, SpanKind.SERVER, contextOf(parent)),
    job: () => begin(tracer, SpanKind.CONSUMER, ROOT_CONTEXT),
    async close() {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, closeMs).unref();
      });
      // What can't be sent any more keeps nothing from ending in good order.
      const sent = provider.shutdown().catch((error: unknown) => report(String(error)));
      await Promise.race([sent, late]);
    },
  };
}

function contextOf(parent: TraceParent | null): Context {
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function begin(tracer: OpenTelemetryTracer, kind: SpanKind, parent: Context): Span {
  // Sampling decides before there is a name; it is given at the end.
  const span = tracer.startSpan(kind === SpanKind.SERVER ? 'request' : 'job', { kind }, parent);
  const within = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId: span.spanContext().traceId,
    statement(text, began, ended) {
      if (!span.isRecording()) return;
      const words = text.replaceAll(/\s+/g, ' ').trim();
      const operation = words.split(' ', 1)[0]?.toUpperCase() ?? '';
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': words.slice(0, maxText),
      };
      const started = { kind: SpanKind.CLIENT, startTime: timeOf(began), attributes };
      tracer.startSpan(operation, started, within).end(timeOf(ended));
    },
    end({ name, attributes, isFault }) {
      span.updateName(name);
      span.setAttributes(attributes);
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** A time of this process as one of the world, in milliseconds. */
function timeOf(ms: number): number {
  return performance.timeOrigin + ms;
}

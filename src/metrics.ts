// In charge of what the server tells Prometheus about itself.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The numbers of one process. */
export interface Metrics {
  /** Count a request and the time that it takes, when its answer is sent. */
  observe(request: IncomingMessage, response: ServerResponse, part: string): void;
  /** All numbers in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Start to count. Each process has numbers of its own; a scraper adds them up. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'headwater_http_request_duration_seconds',
    help: 'How long requests took, by part of the server, method and status.',
    // Paths carry ids, so they are no labels: their number would have no bound.
    labelNames: ['part', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return {
    observe(request, response, part) {
      const end = requests.startTimer({ part, method: methodOf(request) });
      response.once('finish', () => end({ status: String(response.statusCode) }));
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function methodOf({ method = '' }: IncomingMessage): string {
  return methods.has(method) ? method : 'other';
}

// Cross-origin requests: only pages of the origins in a setting may read answers.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers what a browser asks beforehand; says whether it did. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** What clients may send besides what browsers let any page send. */
const requestHeaders = [
  ...['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
  ...['last-event-id', 'prefer', 'traceparent', 'x-graphql-yoga-csrf', 'x-request-id'],
  // Of the Model Context Protocol.
  ...['mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
].join(', ');
/** What a page may read of an answer besides what browsers show of any. */
const answerHeaders = [
  ...[
    'deprecation',
    'etag',
    'idempotent-replayed',
    'link',
    'location',
    'preference-applied',
    'ratelimit',
  ],
  ...['ratelimit-policy', 'retry-after', 'warning', 'www-authenticate', 'x-job-id'],
  ...['x-lineage-job-id', 'x-request-id'],
].join(', ');
/** A browser need not ask again for so many seconds. */
const maxAge = '600';

/**
 * What lets pages of these origins read the answers of GraphQL and REST; `*` stands for any. Keys come in
 * a header that a page has to set, so browsers are never told to send cookies along.
 */
export function createCors(origins: readonly string[]): Cors {
  const isAny = origins.includes('*');
  const allowed = new Set(origins);
  return (request, response) => {
    if (origins.length === 0) return false;
    // What is answered depends on it, also where it is absent.
    if (!isAny) response.setHeader('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(isAny || allowed.has(origin))) return false;
    response.setHeader('access-control-allow-origin', isAny ? '*' : origin);
    const isPreflight =
      request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    if (!isPreflight) {
      response.setHeader('access-control-expose-headers', answerHeaders);
      return false;
    }
    response.setHeader('access-control-allow-methods', methods);
    response.setHeader('access-control-allow-headers', requestHeaders);
    response.setHeader('access-control-max-age', maxAge);
    response.writeHead(204).end();
    return true;
  };
}

// What `npm run workspace` does, over HTTP, for who has the operator's key: `/operator/workspaces`.

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { CatalogError, notFound, unauthenticated } from '../errors.ts';
import { keyIn } from '../graphql/caller.ts';
import { clientErrorOf } from '../graphql/masking.ts';
import { failRequest, sendProblem } from '../http/problem.ts';
import { noteSubject } from '../tracing/request.ts';
import { type OperatorRoute, operatorRoutes } from './workspace-routes.ts';

/** What answers the operator. */
export interface OperatorOptions {
  readonly database: Database;
  readonly config: Config;
  /** Called with each error that is no client's business. */
  readonly onUnexpected: (error: unknown) => void;
}

/** Put together what answers below `/operator`: each request names the key of OPERATOR_KEY as a bearer token. */
export function createOperatorApi(options: OperatorOptions): RequestListener {
  const routes = operatorRoutes(options.database, options.config);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    mustBeOperator(options.config.OPERATOR_KEY, request.headers.authorization ?? '');
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    const { route, id } = routeOf(routes, request.method ?? '', pathname.replace(/\/$/, ''));
    noteSubject(`${route.method} ${route.path}`);
    await route.answer({ id, query, request, response });
  };
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const known = clientErrorOf(error);
      if (!known && !request.destroyed) options.onUnexpected(error);
      if (known && !response.headersSent) return refuse(known, request, response);
      failRequest(response);
    });
  };
}

function refuse(
  { code, message, headers }: CatalogError,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const asks = code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {};
  // What is left of a file that was refused is read by no one.
  const rest = request.complete ? {} : { connection: 'close' };
  sendProblem(response, { code, detail: message, headers: { ...headers, ...asks, ...rest } });
}

/** Throws NOT_FOUND where the server has no such key, and UNAUTHENTICATED for any other than that. */
function mustBeOperator(key: string | undefined, authorization: string): void {
  if (key === undefined) {
    const detail =
      'Workspaces are managed here once OPERATOR_KEY is set; until then use `npm run workspace`.';
    throw new CatalogError('NOT_FOUND', detail);
  }
  const given = keyIn(authorization) ?? '';
  // Of equal length, which comparing in constant time wants.
  const digest = (text: string) => hash('sha256', text, 'buffer');
  if (!timingSafeEqual(digest(given), digest(key))) throw unauthenticated();
}

/** Throws NOT_FOUND for a path that there is not, and METHOD_NOT_ALLOWED with those that there are. */
function routeOf(
  routes: readonly OperatorRoute[],
  method: string,
  pathname: string,
): { readonly route: OperatorRoute; readonly id: string } {
  const given = pathname.split('/');
  // A path in words goes before one with an id.
  const all = routes.filter(({ path }) => path === pathname);
  const fitting = all.length > 0 ? all : routes.filter(({ path }) => isLike(path, given));
  const route = fitting.find((one) => one.method === method);
  if (route) return { route, id: given[3] ?? '' };
  if (fitting.length === 0) throw notFound('Path');
  const allow = fitting.map((one) => one.method).join(', ');
  throw new CatalogError('METHOD_NOT_ALLOWED', `Use ${allow} here.`, [], { allow });
}

function isLike(path: string, given: readonly string[]): boolean {
  const parts = path.split('/');
  return (
    parts.length === given.length && parts.every((part, i) => part === ':id' || part === given[i])
  );
}

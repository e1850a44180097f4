// Answers agents over HTTP at `/mcp`: who may ask and from where, before the protocol is spoken.

import { createMcpHandler } from '@modelcontextprotocol/server';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { z } from 'zod';
import { forbidden, invalid, unauthenticated } from '../../errors.ts';
import { isSignedIn } from '../../graphql/caller.ts';
import { clientErrorOf } from '../../graphql/masking.ts';
import { schema } from '../../graphql/schema.ts';
import type { createGraphQL } from '../../graphql/yoga.ts';
import { readText } from '../../http/body.ts';
import { requestIdOf } from '../../http/request-id.ts';
import { checkDepth } from '../../limits/request-size.ts';
import { loopbackHosts } from '../../network/address.ts';
import { catalogErrorIn, replyWithProblem } from '../../rest/reply.ts';
import { readAddress, type SeenOrigin } from '../../rest/request-url.ts';
import { currentRequest, noteError, noteSubject } from '../../tracing/request.ts';
import type { RunOperation } from './operations.ts';
import { agentServers } from './protocol.ts';
import { toolsWith } from './tools.ts';

/** Messages in one request, which older clients may send. */
const maxBatch = 20;

/** What agents are served with. */
export interface AgentOptions {
  readonly engine: ReturnType<typeof createGraphQL>;
  readonly maxBodyBytes: number;
  /** Whether tools that write are there. */
  readonly writes: boolean;
  /** Pages of these origins may ask, next to the server's own; `*` stands for any. */
  readonly origins: readonly string[];
  /** Which origin the server's own pages have. */
  readonly seenOrigin: SeenOrigin;
  /** Told of what is answered with a 500. */
  readonly onUnexpected: (error: unknown) => void;
}

/** Put together what serves agents. Nothing is kept between requests: any process may answer. */
export function createAgents(options: AgentOptions): (request: Request) => Promise<Response> {
  const { engine, maxBodyBytes, onUnexpected } = options;
  const serve = agentServers(options);
  const tools = toolsWith(options.writes);
  return async (request) => {
    const requestId = currentRequest()?.id ?? requestIdOf(request.headers.get('x-request-id'));
    try {
      checkOrigin(request, options);
      const enveloped = engine.getEnveloped({ request, params: {}, requestId });
      const context = await enveloped.contextFactory();
      if (!isSignedIn(context)) throw unauthenticated();
      const run: RunOperation = async (document, variableValues) => {
        const args = { schema, document, variableValues, contextValue: context };
        const result: unknown = await enveloped.execute(args);
        if (!isResult(result)) throw new Error('An operation of a tool gave no result.');
        return result;
      };
      const message = await readMessage(request, maxBodyBytes);
      noteSubject(`mcp ${subjectOf(message, tools)}`);
      // What the library tells of besides are requests of scanners and of clients that are mistaken.
      const handler = createMcpHandler(() => serve(run), { maxSubscriptions: 0 });
      return await handler.fetch(request, message === undefined ? {} : { parsedBody: message });
    } catch (error) {
      const known = catalogErrorIn(error) ?? clientErrorOf(error);
      // What breaks off because the client left is no one's fault.
      if (!known && !request.signal.aborted) onUnexpected(error);
      // What GraphQL made an error of has been noted.
      const isNoted = error instanceof GraphQLError;
      if (!isNoted) noteError('mcp', known?.code ?? 'INTERNAL_SERVER_ERROR');
      return replyWithProblem(known ?? error, request, requestId);
    }
  };
}

/**
 * A page of another origin may have been led here by a name that it has changed since (DNS rebinding).
 * Throws FORBIDDEN; what is no browser sends no origin.
 */
function checkOrigin(request: Request, { origins, seenOrigin }: AgentOptions): void {
  const origin = request.headers.get('origin');
  if (origin === null || origins.includes('*') || origins.includes(origin)) return;
  const { host, hostname } = readAddress(request, '/mcp', seenOrigin).url;
  // Where nothing says what the server is called, a request could name it anything, but for this machine itself.
  const isKnown = seenOrigin.publicUrl !== null || loopbackHosts.has(hostname);
  if (isKnown && URL.canParse(origin) && new URL(origin).host === host) return;
  throw forbidden(
    "Pages of this origin can't call this server. Add the origin to CORS_ORIGINS, or set PUBLIC_URL.",
  );
}

/** The JSON of a POST; undefined where there is none, which the protocol has answers for. */
async function readMessage(request: Request, maxBytes: number): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  const text = await readText(request, maxBytes);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw invalid('The request body is not JSON.');
  }
  if (typeof message === 'object' && message !== null) checkDepth(message);
  if (Array.isArray(message) && message.length > maxBatch) {
    throw invalid(`Send at most ${maxBatch} messages at once, not ${message.length}.`);
  }
  return message;
}

const methods = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'server/discover',
]);

const asked = z.object({ method: z.string() });
const called = z.object({ params: z.object({ name: z.string() }) });

/** What is asked for, for the log: of words of ours alone. */
function subjectOf(message: unknown, tools: ReadonlyMap<string, unknown>): string {
  const method = asked.safeParse(message).data?.method ?? '';
  if (!methods.has(method)) return '(other)';
  if (method !== 'tools/call') return method;
  const name = called.safeParse(message).data?.params.name ?? '';
  return tools.has(name) ? `${method} ${name}` : method;
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
}

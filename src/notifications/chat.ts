// The team chat: what is posted there, and which channels it has.

import { z } from 'zod';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context, ServerContext } from '../context.ts';
import { type Batch, loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { CatalogError, invalid, unavailable } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type Credentials, openCredentials } from '../integrations/credentials.ts';
import { scrubberOf } from '../secrets/redaction.ts';
import { DeliveryFailure, permanent, requestFailure, statusFailure } from './outbox/failure.ts';

/** A message to a channel, or to the thread of an earlier one. */
export interface ChatMessage {
  readonly channel: string;
  readonly text: string;
  /** The same as blocks, which are shown in place of it; absent for none. */
  readonly blocks?: readonly object[];
  /** The `ts` of the message that began the thread. */
  readonly threadTs?: string | null;
}

const posted = z.object({ ok: z.literal(true), ts: z.string() });

/**
 * Post a message in the name of the workspace's chat integration; answers its `ts`.
 * Throws DeliveryFailure, which says whether to try again.
 */
export async function postMessage(ctx: ServerContext, message: ChatMessage): Promise<string> {
  const { channel, text, blocks = [], threadTs } = message;
  const fields = new URLSearchParams({ channel, text });
  if (blocks.length > 0) fields.set('blocks', JSON.stringify(blocks));
  if (threadTs) fields.set('thread_ts', threadTs);
  const answer = await call(ctx, 'chat.postMessage', fields);
  const parsed = posted.safeParse(answer);
  if (parsed.success) return parsed.data.ts;
  throw permanent('The chat service accepted the message without naming it.');
}

/** A channel of the chat. */
export interface ChatChannel {
  readonly id: string;
  readonly name: string;
}

const channelPage = z.object({
  channels: z.array(
    z.object({ id: z.string(), name: z.string().nullish(), is_member: z.boolean().nullish() }),
  ),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
});

/** Pages of 200 channels that are read at most. */
const maxPages = 50;

/**
 * The channels that the chat app has joined, by name: those that notifications can go to; none where
 * no chat is connected. Throws BAD_REQUEST where it refuses, UNAVAILABLE where it does not answer.
 */
export async function listChatChannels(ctx: ServerContext): Promise<ChatChannel[]> {
  mustBeAllowed(ctx, 'edit monitors');
  if (!(await chatOf(ctx))) return [];
  const channels: ChatChannel[] = [];
  let cursor = '';
  try {
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await call(ctx, 'conversations.list', pageAfter(cursor));
      const { channels: found, response_metadata: more } = channelPage.parse(answer);
      for (const { id, name, is_member: isMember } of found) {
        if (isMember) channels.push({ id, name: name ?? id });
      }
      cursor = more?.next_cursor ?? '';
      if (cursor === '') break;
    }
  } catch (error) {
    if (error instanceof z.ZodError)
      throw unavailable('The chat service returned an unexpected response.');
    if (!(error instanceof DeliveryFailure)) throw error;
    throw error.isPermanent ? invalid(error.message) : unavailable(error.message);
  }
  return channels.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function pageAfter(cursor: string): URLSearchParams {
  const types = 'public_channel,private_channel';
  const fields = new URLSearchParams({ exclude_archived: 'true', limit: '200', types });
  if (cursor) fields.set('cursor', cursor);
  return fields;
}

const timeoutMs = 10_000;
/** What is read of an answer, in bytes: no list of channels comes near it. */
const maxAnswer = 5_000_000;

/** What the chat answers when it is only busy. */
const passing = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

const envelope = z.object({ ok: z.boolean(), error: z.string().nullish() }).loose();

/** Call a method of the chat's API; success is `ok: true` in the body of a 200. */
async function call(ctx: ServerContext, method: string, fields: URLSearchParams): Promise<unknown> {
  const { token, credentials } = await tokenOf(ctx);
  const scrub = scrubberOf(credentials);
  const base = ctx.surroundings.chatBase;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${base.replace(/\/+$/, '')}/api/${method}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      },
      body: fields,
      redirect: 'error',
      signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(timeoutMs)]),
    });
    text = await beginningOf(response);
  } catch (error) {
    ctx.signal.throwIfAborted();
    throw requestFailure('The chat', error, scrub);
  }
  if (!response.ok) {
    throw statusFailure('The chat', response.status, response.headers.get('retry-after'));
  }
  const answer = envelope.safeParse(jsonOf(text));
  if (!answer.success) throw new DeliveryFailure('The chat service did not answer with JSON.');
  if (answer.data.ok) return answer.data;
  const error = scrub(answer.data.error ?? 'no reason given').slice(0, 200);
  const message = `The chat refused ${method}: ${error}.`;
  throw passing.has(error) ? new DeliveryFailure(message) : permanent(message);
}

/** The text of an answer. Of one that is too long the beginning, and no more of it is received. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = maxAnswer;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    left -= chunk.byteLength;
    if (left <= 0) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The workspace's chat integration, the newest that has credentials. */
async function chatOf(ctx: Context): Promise<{ id: string } | undefined> {
  const [newest] = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select id from integration
      where workspace_id = ${ctx.workspaceId}::uuid and type = 'chat' and credentials is not null
      order by created_at desc, id limit 1`,
  );
  return newest;
}

/** Whether the workspace has a chat to post to. Asked once for all that a request names, such as many rules. */
export async function isChatConnected(ctx: Context): Promise<boolean> {
  return (await loaderOf(ctx, chatsByWorkspace).load(ctx.workspaceId)) !== undefined;
}

const chatsByWorkspace: Batch<string, { id: string }> = async (ctx, [workspaceId]) => {
  const chat = await chatOf(ctx);
  return new Map(chat && workspaceId !== undefined ? [[workspaceId, chat]] : []);
};

/** The token of that integration. */
async function tokenOf(ctx: ServerContext): Promise<{ token: string; credentials: Credentials }> {
  const integration = await chatOf(ctx);
  if (!integration) {
    throw permanent('Connect a chat integration first, of type chat with a token.');
  }
  const credentials = await opened(ctx, integration.id);
  for (const name of ['token', 'bot_token', 'access_token']) {
    const token = credentials[name];
    if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return { token, credentials };
  }
  throw permanent('The credentials of the chat integration have no token.');
}

async function opened(ctx: ServerContext, id: string): Promise<Credentials> {
  try {
    return await openCredentials(ctx, id);
  } catch (error) {
    if (error instanceof CatalogError) throw permanent(error.message);
    throw error;
  }
}

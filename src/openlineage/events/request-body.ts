// The body of a request with events: one, a list, or an object with a list; packed with gzip where a client packs it.

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { invalid, messageOf, tooLarge } from '../../errors.ts';
import { readBytes } from '../../http/body.ts';
import { itemsOf, membersOf } from './loose.ts';

/** What a body may hold, in bytes, packed as well as unpacked, and in events. */
const mostBytes = 10 * 1024 * 1024;
export const mostEvents = 1_000;

/** The events of a request, unchecked. */
export interface SentEvents {
  readonly events: readonly unknown[];
  /** Whether they came as a list, however many they are. */
  readonly isList: boolean;
}

/** Read the events of a request. Throws PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, and BAD_REQUEST for what is no JSON. */
export async function readEvents(request: Request): Promise<SentEvents> {
  const bytes = await readBytes(request, mostBytes);
  const text = decode(isPacked(bytes) ? await unpack(bytes) : bytes);
  const sent = parse(text);
  const { events } = membersOf(sent);
  const list = Array.isArray(sent) ? sent : Array.isArray(events) ? events : null;
  if (list === null) return { events: [sent], isList: false };
  if (list.length > mostEvents) {
    throw invalid(
      `A request holds at most ${mostEvents.toLocaleString('en')} events; this one has ${list.length}.`,
    );
  }
  return { events: itemsOf(list, mostEvents), isList: true };
}

const isPacked = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;
const gunzipped = promisify(gunzip);

async function unpack(bytes: Buffer): Promise<Buffer> {
  try {
    return await gunzipped(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    if (error instanceof RangeError) {
      throw tooLarge(`The request body holds more than ${mostBytes} bytes when it is unpacked.`);
    }
    throw invalid(`The request body is not a readable gzip archive: ${messageOf(error)}.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('The request body is not UTF-8. Send JSON, or JSON packed with gzip.');
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid('The request body is empty. Send an event of OpenLineage.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The request body is not JSON: ${messageOf(error)}.`);
  }
}

// Writers at a server or several, and a model of what must be there: all that was acknowledged, and nothing that was not asked.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { onServer } from '../test/server.ts';

const writers = 6;
/** A request that has no answer by then is a fault: the server promises one after 10 s. */
const requestMs = 20_000;

/** A document, and what its title may be: the last one acknowledged, and those asked for since whose outcome is open. */
interface Document {
  readonly id: string;
  acknowledged: string;
  open: string[];
}

export interface Load {
  /** How often each answer came, such as `201` or `no answer`. */
  readonly answers: ReadonlyMap<string, number>;
  readonly acknowledged: () => number;
  /** Milliseconds from now until a write that begins after it is acknowledged. */
  untilWritten(limitMs: number): Promise<number>;
  stop(): Promise<void>;
  /** What is wrong, in sentences, by what the database holds. */
  check(databaseUrl: string): Promise<string[]>;
}

const made = z.object({ id: z.string() }).or(z.object({ data: z.object({ id: z.string() }) }));

/** What came of the requests so far. */
interface Counted {
  readonly answers: Map<string, number>;
  writes: number;
  /** When the last write that was acknowledged began. */
  lastBegan: number;
}

interface Sent {
  readonly isDone: boolean;
  readonly text: string;
}

/** Send writes to the address of each moment. */
function openClient(address: () => string, key: string, counted: Counted) {
  return async (method: string, path: string, body: object): Promise<Sent> => {
    const began = performance.now();
    let [status, text] = ['no answer', ''];
    try {
      const response = await fetch(`${address()}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(requestMs),
      });
      text = await response.text();
      status = String(response.status);
    } catch (error) {
      status = error instanceof Error ? `no answer (${error.name})` : status;
      const after = Math.round(performance.now() - began);
      console.error(`${method} ${path} had no answer after ${after} ms: ${String(error)}`);
    }
    counted.answers.set(status, (counted.answers.get(status) ?? 0) + 1);
    const isDone = status.startsWith('2');
    if (isDone) {
      counted.writes += 1;
      counted.lastBegan = Math.max(counted.lastBegan, began);
    } else await sleep(100);
    return { isDone, text };
  };
}

/** Begin to write with the key of an admin, each time at the address of the moment. */
export async function openLoad(address: () => string, key: string): Promise<Load> {
  const counted: Counted = { answers: new Map(), writes: 0, lastBegan: 0 };
  const send = openClient(address, key, counted);
  const tags: string[] = [];
  const documents: Document[] = [];
  let isOver = false;

  async function write(document: Document): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const name = randomUUID();
      if ((await send('POST', '/tag', { name })).isDone) tags.push(name);
      const title = `${n} ${randomUUID()}`;
      document.open.push(title);
      if (!(await send('PATCH', `/document/${document.id}`, { title })).isDone) continue;
      document.acknowledged = title;
      document.open = [];
    }
  }

  for (let n = 0; n < writers; n += 1) {
    const { text } = await send('POST', '/document', { title: `first ${n}` });
    const answer = made.parse(JSON.parse(text));
    const { id } = 'data' in answer ? answer.data : answer;
    documents.push({ id, acknowledged: `first ${n}`, open: [] });
  }
  const working = documents.map(write);
  return {
    answers: counted.answers,
    acknowledged: () => counted.writes,
    async untilWritten(limitMs) {
      const from = performance.now();
      while (counted.lastBegan < from && performance.now() - from < limitMs) await sleep(20);
      return performance.now() - from;
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
    check: (databaseUrl) => faultsOf(databaseUrl, tags, documents),
  };
}

/** What the database lacks of what was acknowledged, and what it holds that can't be. */
async function faultsOf(
  databaseUrl: string,
  tags: readonly string[],
  documents: readonly Document[],
): Promise<string[]> {
  const lost = await onServer<{ name: string }>(
    databaseUrl,
    'select n.name from unnest($1::text[]) n(name) where n.name not in (select t.name from tag t)',
    [tags],
  );
  const titles = await onServer<{ id: string; title: string }>(
    databaseUrl,
    'select r.id, r.title from resource r where r.id = any($1::uuid[])',
    [documents.map(({ id }) => id)],
  );
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
  const wrong = documents.filter(({ id, acknowledged, open }) => {
    const title = titleOf.get(id);
    return title === undefined || ![acknowledged, ...open].includes(title);
  });
  return [
    ...lost.map(({ name }) => `The tag ${name} was acknowledged and is not there.`),
    ...wrong.map(({ id }) => `The document ${id} has a title that it can't have.`),
  ];
}

// Keeps a server busy with writes, reads, imports and a subscription, and notes what came of each.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { onServer } from './server.ts';

/** What came of the work so far. */
export interface Noted {
  /** Names of tags whose making was acknowledged. */
  readonly tags: string[];
  /** Titles of tables whose import was acknowledged. */
  readonly tables: string[];
  /** How often each answer came, such as `POST 201`, `graphql UNAVAILABLE` or `import 503`. */
  readonly answers: Map<string, number>;
  /** Answers that no failure of a database explains, and connections that broke. */
  readonly surprises: string[];
}

export interface Busy {
  readonly noted: Noted;
  /** Whether the subscription, opened at the beginning, receives a change that is made now. */
  receives(): Promise<boolean>;
  /** Wait until all that is under way has its answer. */
  stop(): Promise<void>;
}

const writers = 8;
/** Lines of an import. */
const importedTables = 200;
/** How long a change has to be made and received. */
const receiveMs = 30_000;

/** What was done, or may be tried again. */
const allowed = new Set(['200', '201', '204', '409', '503', 'OK', 'CONFLICT', 'UNAVAILABLE']);

/** Begin to keep a server busy, with the key of an admin. */
export async function keepBusy(base: string, key: string): Promise<Busy> {
  const client = openClient(base, key);
  const { noted, post, send, graphql } = client;
  const stopping = new AbortController();
  const isOver = () => stopping.signal.aborted;
  const made = await post('/integration/integrations', { type: 'custom', name: 'Busy' });
  const upload = `/api/v1/integration/integrations/${idIn(made)}/import_jsonl_metadata?stale=false`;
  const document = idIn(await post('/document', { title: 'Watched' }));
  const received = new Set<string>();
  const listening = listen(base, key, document, stopping.signal, (title) => received.add(title));

  async function write(): Promise<void> {
    while (!isOver()) {
      const [one, other] = [randomUUID(), randomUUID()];
      if ((await post('/tag', { name: one })).status === 201) noted.tags.push(one);
      if (await graphql(`mutation { createTag(input: { name: "${other}" }) { id } }`)) {
        noted.tags.push(other);
      }
      await send('GET', '/api/v1/tag?page_size=5', {});
    }
  }

  async function importAll(): Promise<void> {
    while (!isOver()) {
      const titles = Array.from({ length: importedTables }, () => randomUUID());
      const form = new FormData();
      form.set('resources_file', new Blob([linesOf(titles)]), 'resources.jsonl');
      const { status } = await send('import', upload, { method: 'POST', body: form });
      if (status === 204) noted.tables.push(...titles);
      await sleep(200);
    }
  }

  const working = [...Array.from({ length: writers }, write), importAll(), listening];
  return {
    noted,
    async receives() {
      const title = randomUUID();
      for (const until = performance.now() + receiveMs; performance.now() < until; ) {
        const { status } = await send('PATCH', `/api/v1/document/${document}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title }),
        });
        if (status === 200) break;
      }
      for (const until = performance.now() + receiveMs; performance.now() < until; ) {
        if (received.has(title)) return true;
        await sleep(50);
      }
      return false;
    },
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
  };
}

/** Of what was acknowledged, what the database doesn't hold. */
export async function lostOf({ tags, tables }: Noted, databaseUrl: string): Promise<string[]> {
  const lost = await onServer<{ name: string }>(
    databaseUrl,
    `select name from unnest($1::text[]) n(name) where name not in (select t.name from tag t)
      union all
      select title from unnest($2::text[]) n(title)
        where title not in (select r.title from resource r where not r.stale)`,
    [tags, tables],
  );
  return lost.map(({ name }) => name);
}

interface Answer {
  /** 0 where the connection broke. */
  readonly status: number;
  readonly said: string;
}

function openClient(base: string, key: string) {
  const noted: Noted = { tags: [], tables: [], answers: new Map(), surprises: [] };
  const authorization = `Bearer ${key}`;

  function note(what: string, answer: string, said: string): void {
    const name = `${what} ${answer}`;
    noted.answers.set(name, (noted.answers.get(name) ?? 0) + 1);
    if (!allowed.has(answer)) noted.surprises.push(`${name}: ${said.slice(0, 300)}`);
  }

  async function ask(path: string, init: RequestInit): Promise<Answer> {
    try {
      const headers = { authorization, ...init.headers };
      const response = await fetch(base + path, { ...init, headers });
      return { status: response.status, said: await response.text() };
    } catch (error) {
      return { status: 0, said: String(error instanceof Error ? error.cause : error) };
    }
  }

  async function send(what: string, path: string, init: RequestInit): Promise<Answer> {
    const answer = await ask(path, init);
    note(what, String(answer.status), answer.said);
    return answer;
  }

  const asJson = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return {
    noted,
    send,
    post: (path: string, body: object) => send('POST', `/api/v1${path}`, asJson(body)),
    /** Whether it was answered without an error. */
    async graphql(query: string): Promise<boolean> {
      const { status, said } = await ask('/graphql', asJson({ query }));
      const errors = status === 200 ? graphqlAnswer.parse(JSON.parse(said)).errors : undefined;
      const code = errors?.[0]?.extensions.code ?? (status === 200 ? 'OK' : String(status));
      note('graphql', code, said);
      return code === 'OK';
    },
  };
}

/** Follow a document, again whenever that ends, as a browser does. */
async function listen(
  base: string,
  key: string,
  id: string,
  signal: AbortSignal,
  onTitle: (title: string) => void,
): Promise<void> {
  const query = `subscription { resourceChanged(id: "${id}") { title } }`;
  while (!signal.aborted) {
    try {
      const response = await fetch(`${base}/graphql`, {
        method: 'POST',
        signal,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
      });
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        for (const [, title = ''] of decoder.decode(chunk).matchAll(/"title":"([^"]*)"/g)) {
          onTitle(title);
        }
      }
    } catch {
      // It is opened again.
    }
    await sleep(100);
  }
}

const graphqlAnswer = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })).optional(),
});

function idIn({ said }: Answer): string {
  return z.object({ id: z.string() }).parse(JSON.parse(said)).id;
}

/** A schema and tables in it, as a tool would list them. */
function linesOf(titles: readonly string[]): string {
  const schema = [
    { entity_type: 'database', databuilder_id: 'busy', title: 'busy' },
    {
      entity_type: 'schema',
      databuilder_id: 'busy.public',
      parent_databuilder_id: 'busy',
      title: 'public',
    },
  ];
  const tables = titles.map((title) => ({
    entity_type: 'table',
    databuilder_id: `busy.public.${title}`,
    parent_databuilder_id: 'busy.public',
    title,
  }));
  return [...schema, ...tables].map((line) => JSON.stringify(line)).join('\n');
}

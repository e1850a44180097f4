// Writers during a kill, and what was acknowledged to them.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, clientOf, type Outcome } from '../edits/client.ts';

const writers = 4;
/** Tables of one import. */
export const importedTables = 400;
/** Where nothing of a kind was acknowledged by then, nothing can be lost of it. */
const patienceMs = 120_000;

/** An edge between two columns of two tables. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** An edit of a table: its description. */
export interface Edit {
  readonly table: string;
  readonly description: string;
}

export interface Acknowledged {
  /** Names. */
  readonly tags: string[];
  readonly edits: Edit[];
  readonly edges: Edge[];
  /** The numbers of imports. */
  readonly imports: number[];
}

export interface Writing {
  readonly acknowledged: Acknowledged;
  /** The integration that is imported into. */
  readonly integration: string;
  /** Wait until something of each kind was acknowledged. */
  begun(): Promise<void>;
  /** Begin no more imports: a later one would hide what was lost of an earlier one. */
  endImports(): void;
  /** Begin nothing more, and wait for what is under way. */
  end(): Promise<void>;
}

/** Begin to write and import, with the key of an admin; whatever fails is followed by something else. */
export async function beginWriting(address: string, key: string, name: string): Promise<Writing> {
  const client = clientOf(address, key);
  const acknowledged: Acknowledged = { tags: [], edits: [], edges: [], imports: [] };
  const made = { type: 'custom', name };
  const integration = await make(client, '/integration/integrations', made);
  let isOver = false;
  let isImporting = true;
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n += 1) {
      await writeAll(client, `${name} ${writer} ${n}`, acknowledged).catch(() => sleep(50));
    }
  };
  const importAll = async () => {
    for (let n = 0; isImporting; n += 1) {
      const isDone = await importOnce(address, key, integration, n).catch(() => false);
      if (isDone) acknowledged.imports.push(n);
      else await sleep(50);
    }
  };
  const working = [...Array.from({ length: writers }, (_, n) => write(n)), importAll()];
  return {
    ...{ acknowledged, integration },
    async begun() {
      for (const until = performance.now() + patienceMs; performance.now() < until; ) {
        if (Object.values(acknowledged).every(({ length }) => length > 0)) return;
        await sleep(10);
      }
      throw new Error('Not of each kind a write was acknowledged.');
    },
    endImports() {
      isImporting = false;
    },
    async end() {
      isImporting = false;
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** A tag, two tables with a column each, an edit of one of them, and an edge from one to the other. */
async function writeAll(client: Client, name: string, acknowledged: Acknowledged): Promise<void> {
  await make(client, '/tag/tags', { name });
  acknowledged.tags.push(name);
  const table = await make(client, '/table/tables', { title: `table ${name}` });
  const from = await make(client, '/table/columns', { title: 'from', parent: table });
  const description = `edit ${name}`;
  mustBeDone(await client.rest('PATCH', `/table/tables/${table}`, { description }));
  acknowledged.edits.push({ table, description });
  const other = await make(client, '/table/tables', { title: `other ${name}` });
  const to = await make(client, '/table/columns', { title: 'to', parent: other });
  await make(client, '/lineage/manual', { from_entity: from, to_entity: to });
  acknowledged.edges.push({ from, to });
}

/** Make something; its id. */
async function make({ rest }: Client, path: string, body: object): Promise<string> {
  const outcome = await rest('POST', path, body);
  mustBeDone(outcome);
  return outcome.data.id;
}

function mustBeDone({ refusal, message }: Outcome): void {
  if (refusal !== null) throw new Error(`${refusal}: ${message}`);
}

/** Import the same tables, each with the number of the import in its title; whether that was acknowledged. */
async function importOnce(
  address: string,
  key: string,
  integration: string,
  n: number,
): Promise<boolean> {
  const lines = Array.from({ length: importedTables }, (_, i) =>
    JSON.stringify({ entity_type: 'table', databuilder_id: `t${i}`, title: `import ${n}` }),
  );
  const files = new FormData();
  files.set('resources_file', new Blob([lines.join('\n')]), 'resources.jsonl');
  const response = await fetch(
    `${address}/api/v1/integration/integrations/${integration}/import_jsonl_metadata`,
    { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: files },
  );
  await response.arrayBuffer();
  return response.status === 204;
}

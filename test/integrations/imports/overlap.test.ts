// A large import writes its resources while its lineage is still read: all of it is still one thing.

import { expect, test } from 'vitest';
import { stagedIntegrations } from '../../../src/integrations/imports/staging/open-stage.ts';
import { importJsonl } from '../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { digest, refusal } from './feed.ts';

/** Just more than are written one after the other. */
const tables = 10_001;
/** More lineage than is sent to the database at once. */
const edges = 10_500;

const key = (n: number) => `table_${n % tables}`;
const resources = Array.from({ length: tables }, (_, n) =>
  JSON.stringify({ entity_type: 'table', databuilder_id: key(n), title: `Table ${n}` }),
).join('\n');

function* lineage(): Generator<string> {
  for (let n = 0; n < edges; n++) {
    const [from_identifier, to_identifier] = [key(n), key(n < tables ? n + 1 : n + 2)].map(
      (databuilder_id) => ({ internal_resource: { databuilder_id } }),
    );
    yield `${JSON.stringify({ from_identifier, to_identifier })}\n`;
  }
}

/** Lineage that comes to its end when somebody lets it. */
function heldLineage(last: string) {
  let goOn = () => {};
  const opened = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const bytes = (async function* () {
    yield Buffer.from([...lineage()].join(''));
    await opened;
    yield Buffer.from(last);
  })();
  return { source: { file: 'lineages.jsonl', bytes }, goOn: () => goOn() };
}

interface Feed {
  /** What comes last of the lineage. */
  readonly last?: string;
  /** Whether the lineage comes without a pause. */
  readonly atOnce?: boolean;
  readonly signal?: AbortSignal;
  /** Called while resources are written, and lineage is still to come. */
  readonly meanwhile?: () => void;
}

/** Import, and let the lineage end only when resources were written. */
function feed(catalog: Catalog, id: string, options: Feed = {}) {
  const { last = '', atOnce = false, signal, meanwhile } = options;
  const { source, goOn } = heldLineage(last);
  if (atOnce) goOn();
  const steps: string[] = [];
  const watch = {
    log() {},
    progress(step: string, done: number, total?: number) {
      if (steps.at(-1) !== step) steps.push(step);
      if (step !== 'writing resources') return;
      if (meanwhile || done === total) goOn();
      meanwhile?.();
    },
  };
  const ctx = { ...catalog.admin, ...(signal ? { signal } : {}) };
  const sources = { resources: textSource('resources.jsonl', resources), lineages: source };
  return { imported: importJsonl(ctx, id, sources, { watch }), steps };
}

test('resources are written while lineage is read, and both are there in the end', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const { imported, steps } = feed(catalog, id);
  expect(await imported).toMatchObject({
    created: tables,
    unchanged: 0,
    lineage: { created: edges, unknown: 0 },
  });
  expect(steps.indexOf('writing resources')).toBeGreaterThan(0);
  expect(steps.slice(steps.indexOf('writing resources'))).toEqual([
    'writing resources',
    'reading lineage',
    'writing lineage',
  ]);
  const again = feed(catalog, id, { atOnce: true });
  expect(await again.imported).toMatchObject({
    created: 0,
    updated: 0,
    staled: 0,
    unchanged: tables,
    lineage: { created: 0, ended: 0, unchanged: edges },
  });
  expect(again.steps).not.toContain('writing resources');
  expect(again.steps).not.toContain('changing resources');
  expect(await stagedIntegrations(catalog.admin)).not.toContain(id);
});

test('a wrong line after the resources were written undoes them', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await digest(catalog);
  const { imported } = feed(catalog, id, { last: '{"from_identifier": 1}\n' });
  const refused = await refusal(imported);
  expect(refused.code).toBe('BAD_REQUEST');
  expect(refused.message).toContain(`lineages.jsonl, line ${edges + 1}`);
  expect(await digest(catalog)).toEqual(before);
  expect(await stagedIntegrations(catalog.admin)).not.toContain(id);
  expect(await feed(catalog, id).imported).toMatchObject({ created: tables });
});

test('so does a failure to write, which also ends the reading', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await digest(catalog);
  const meanwhile = () => {
    throw new Error('The disk is full.');
  };
  await expect(feed(catalog, id, { meanwhile }).imported).rejects.toThrow('disk is full');
  expect(await digest(catalog)).toEqual(before);
  expect(await stagedIntegrations(catalog.admin)).not.toContain(id);
});

test('a client that goes away while both are under way leaves nothing behind', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await digest(catalog);
  const leaving = new AbortController();
  const meanwhile = () => leaving.abort(new Error('The client went away.'));
  const { imported } = feed(catalog, id, { signal: leaving.signal, meanwhile });
  await expect(imported).rejects.toThrow('went away');
  expect(await digest(catalog)).toEqual(before);
  expect(await stagedIntegrations(catalog.admin)).not.toContain(id);
});

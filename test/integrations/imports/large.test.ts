// Files that are too large in one way or another: they are let go early, and memory stays flat.

import { createGzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { importArtifacts, importCsv, importJsonl } from '../../../src/integrations/imports/sync.ts';
import { type FileSource, textSource } from '../../../src/integrations/readers/source.ts';
import { readDeclaredMonitors } from '../../../src/monitors/declarations/declare.ts';
import { openCatalog } from '../../catalog.ts';
import { bakery } from './bakery.ts';
import { countedSource, digest, refusal } from './feed.ts';

const megabyte = 1024 * 1024;
/** 200 MB of one letter, a megabyte at a time, between a beginning and an end. */
function* endless(start: string, end: string) {
  const chunk = Buffer.alloc(megabyte, 'x');
  yield Buffer.from(start);
  for (let i = 0; i < 200; i++) yield chunk;
  yield Buffer.from(end);
}

test('a line of 200 MB is refused by its number after the first few of them', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await digest(catalog);
  const good = '{"entity_type": "table", "databuilder_id": "a"}\n';
  const { source, taken } = countedSource('resources.jsonl', endless(`${good}{"title": "`, '"}'));

  const refused = await refusal(importJsonl(catalog.admin, id, { resources: source }));

  expect(refused).toEqual({
    code: 'BAD_REQUEST',
    field: 'resources.jsonl',
    message: 'resources.jsonl, line 2: is longer than 4194304 bytes, the most a line may have.',
  });
  expect(taken.bytes).toBeLessThan(8 * megabyte);
  expect(taken.closed).toBe(true);
  expect(await digest(catalog)).toEqual(before);
});

test('so is one that is packed into a small archive, and one of lineage', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const gzip = createGzip();
  const packed: FileSource = { file: 'resources.jsonl', bytes: gzip };
  for (const chunk of endless('{"title": "', '"}')) gzip.write(chunk);
  gzip.end();
  const resources = await refusal(importJsonl(catalog.admin, id, { resources: packed }));
  expect(resources.message).toMatch(/^resources\.jsonl, line 1: is longer than 4194304 bytes/);
  const { source, taken } = countedSource('lineages.jsonl', endless('{"from_identifier": "', ''));
  const lineages = await refusal(importJsonl(catalog.admin, id, { lineages: source }));
  expect(lineages.message).toMatch(/^lineages\.jsonl, line 1: is longer than 4194304 bytes/);
  expect(taken.bytes).toBeLessThan(8 * megabyte);
});

test('the longest line may be set, and one that is as long as it may be is taken', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const line = '{"entity_type":"table","databuilder_id":"a"}';
  const feed = (maxLineBytes: number) =>
    importJsonl(catalog.admin, id, { resources: textSource('file', line) }, { maxLineBytes });
  expect((await feed(line.length)).created).toBe(1);
  expect((await refusal(feed(line.length - 1))).message).toContain('file, line 1: is longer than');
});

test('a CSV row of 200 MB, quoted or not, is refused by its line', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await digest(catalog);
  for (const quote of ['', '"']) {
    const start = `col_name,database,schema,name\nid,shop,public,a\nid,shop,public,${quote}`;
    const { source, taken } = countedSource('tables.csv', endless(start, quote));
    const refused = await refusal(importCsv(catalog.admin, id, source));
    expect(refused.message).toMatch(/^tables\.csv, line 3: is longer than 1000000 characters/);
    expect(taken.bytes).toBeLessThan(8 * megabyte);
    expect(taken.closed).toBe(true);
  }
  expect(await digest(catalog)).toEqual(before);
});

test('a node of 200 MB is refused; a part that no one reads passes by without filling memory', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const before = await digest(catalog);
  const node = countedSource('manifest.json', endless('{"nodes": {"a": {"raw": "', '"}}}'));
  const refused = await refusal(
    importArtifacts(catalog.admin, id, { manifest: node.source }, readDeclaredMonitors),
  );
  expect(refused.message).toMatch(/^manifest\.json, line 1.*longer than 33554432 bytes/);
  expect(node.taken.bytes).toBeLessThan(40 * megabyte);
  expect(await digest(catalog)).toEqual(before);

  const rest = JSON.stringify(bakery()).slice(1);
  let peak = 0;
  const chunks = (function* () {
    for (const chunk of endless('{"docs": {"a": "', `"}, ${rest}`)) {
      // What the pieces themselves take: that of a piece that is gone is given back.
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      yield Buffer.from(chunk);
    }
  })();
  const idle = process.memoryUsage().arrayBuffers;
  const { source, taken } = countedSource('manifest.json', chunks);
  const made = await importArtifacts(catalog.admin, id, { manifest: source }, readDeclaredMonitors);
  expect(made.created).toBeGreaterThan(20);
  expect(taken.bytes).toBeGreaterThan(200 * megabyte);
  expect(peak - idle).toBeLessThan(120 * megabyte);
});

test('a file of more bytes than may be read is refused, also when it is small until unpacked', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await digest(catalog);
  const blank = '\n'.repeat(3 * megabyte);
  const gzip = createGzip();
  gzip.end(blank);
  const sources = [textSource('plain.jsonl', blank), { file: 'packed.jsonl', bytes: gzip }];
  for (const resources of sources) {
    const options = { maxBytes: 2 * megabyte };
    const refused = await refusal(importJsonl(catalog.admin, id, { resources }, options));
    expect(refused.code).toBe('PAYLOAD_TOO_LARGE');
    expect(refused.message).toContain(
      `${resources.file}: holds more than ${options.maxBytes} bytes`,
    );
  }
  expect(await digest(catalog)).toEqual(before);
});

// Images in texts: what is taken, who uploads and sees them, how they are sent, and when they go.

import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { acrossWorkspaces } from '../../../src/database/outside.ts';
import { createComment } from '../../../src/resources/comments/resource-comment.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { addImage } from '../../../src/resources/images/image.ts';
import { retain } from '../../../src/retain.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

type Caller = 'admin' | 'editor' | 'viewer' | 'guest';

const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const images = {
  'image/png': png,
  'image/jpeg': Buffer.from('ffd8ffe000', 'hex'),
  'image/gif': Buffer.from('GIF89a'),
  'image/webp': Buffer.from('RIFF\u0001\u0001\u0001\u0001WEBPVP8 '),
};

function upload(
  catalog: Catalog,
  content: Uint8Array<ArrayBuffer>,
  as: Caller = 'viewer',
  name = 'a.png',
) {
  const body = new FormData();
  body.set('file', new Blob([content]), name);
  return catalog.rest('POST', '/images', { body, caller: { as } });
}

/** An image as a client with a key gets it. */
async function download(catalog: Catalog, id: string, as: Caller = 'guest') {
  const base = await catalog.listen();
  return fetch(`${base}/api/v1/images/${id}`, {
    headers: { authorization: `Bearer ${catalog.keyOf(as)}` },
  });
}

test('are taken and sent as what their first bytes say, whatever they are called', async () => {
  await using catalog = await openCatalog();
  for (const [type, content] of Object.entries(images)) {
    const { status, body } = await upload(catalog, Buffer.from(content), 'viewer', 'page.html');
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: body.id, url: `/api/v1/images/${body.id}` },
        ...{ media_type: type, size: content.byteLength },
      },
    ]);
    const sent = await download(catalog, body.id);
    expect(sent.status).toBe(200);
    expect(Buffer.from(await sent.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(sent.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'private, max-age=31536000, immutable',
    });
    const { data } = await catalog.graphql(
      'query ($id: ID!) { image(id: $id) { mediaType size content } }',
      { id: body.id },
      { as: 'guest' },
    );
    const shown = { mediaType: type, size: content.byteLength };
    expect(data.image).toEqual({ ...shown, content: content.toString('base64') });
  }
  const odd = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF88a',
    'RIFF1234WAVE',
    ' ',
    '%PDF-1.7',
  ];
  for (const text of odd) {
    expect((await upload(catalog, Buffer.from(text))).status, text).toBe(415);
  }
  expect(catalog.unexpected).toEqual([]);
});

test('have 2 MB at most', async () => {
  await using catalog = await openCatalog();
  const whole = Buffer.concat([png, Buffer.alloc(2_000_000 - png.byteLength, 7)]);
  const { status, body } = await upload(catalog, whole);
  expect([status, body.size]).toEqual([201, 2_000_000]);
  expect((await (await download(catalog, body.id)).arrayBuffer()).byteLength).toBe(2_000_000);
  const { data } = await catalog.graphql('query ($id: ID!) { image(id: $id) { content } }', {
    id: body.id,
  });
  expect(data.image.content).toBe(whole.toString('base64'));
  expect((await upload(catalog, Buffer.concat([whole, png]))).status).toBe(413);
  await expect(addImage(catalog.admin, Buffer.concat([whole, png]))).rejects.toThrow('2 MB');
  expect(catalog.unexpected).toEqual([]);
});

test('are uploaded by who writes texts, seen by all of the workspace, and not by another', async () => {
  await using catalog = await openCatalog();
  expect((await upload(catalog, png, 'guest')).status).toBe(403);
  const { id } = (await upload(catalog, png)).body;
  expect((await catalog.rest('GET', `/images/${id}`, { caller: { as: 'guest' } })).status).toBe(
    200,
  );
  await using theirs = await catalog.another();
  expect((await theirs.rest('GET', `/images/${id}`)).status).toBe(404);
  const asked = await theirs.graphql('query ($id: ID!) { image(id: $id) { content } }', { id });
  expect(asked.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  expect((await catalog.rest('GET', '/images/x')).status).toBe(404);
  const logged = await catalog.graphql(
    '{ auditLogs(first: 1) { nodes { activityType resourceId } } }',
  );
  expect(logged.data.auditLogs.nodes).toEqual([{ activityType: 'image_created', resourceId: id }]);
});

test('go when no text shows them any more, some days after their upload', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, database, workspaceId } = catalog;
  const days = 86_400_000;
  const old = async () => {
    const { id } = await addImage(admin, png);
    await database.prisma.image.updateMany({
      where: { workspaceId, id },
      data: { createdAt: new Date(Date.now() - 31 * days) },
    });
    return id;
  };
  const [inText, inVersion, inComment, away] = [await old(), await old(), await old(), await old()];
  const young = (await addImage(admin, png)).id;
  const mark = (id: string) => `See ![it](/api/v1/images/${id}).`;
  const { id } = await catalog.resource();
  await updateResource(admin, id, { definition: mark(inVersion) });
  await updateResource(admin, id, { definition: `${mark(inText.toUpperCase())} and more` });
  await createComment(admin, { resourceId: id, text: mark(inComment) });
  const settings = readConfig({ RETENTION_IMAGES_DAYS: '30' });
  const run = async (dryRun: boolean) => {
    for await (const one of retain(acrossWorkspaces(database), settings, { dryRun })) {
      if (one.setting === 'RETENTION_IMAGES_DAYS') return one.count;
    }
    return null;
  };
  expect(await run(true)).toBe(1);
  expect(await run(false)).toBe(1);
  expect(await run(false)).toBe(0);
  const kept = await database.prisma.image.findMany({
    where: { workspaceId },
    select: { id: true },
  });
  expect(kept.map((one) => one.id).sort()).toEqual([inText, inVersion, inComment, young].sort());
  expect(kept.map((one) => one.id)).not.toContain(away);
});

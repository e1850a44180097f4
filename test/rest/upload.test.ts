import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { unknownIn } from '../../src/rest/unknown.ts';
import { forgetAbandoned, receiveUpload, type UploadRules } from '../../src/rest/upload.ts';

/** A spool folder of its own, gone after the test. */
async function spool() {
  const folder = await mkdtemp(join(tmpdir(), 'upload-test-'));
  return {
    folder,
    rules: (more: Partial<UploadRules> = {}): UploadRules => ({
      files: ['file', 'other'],
      fields: ['stale'],
      meetUnknown: unknownIn('refuse', new Headers()),
      maxBytes: 100_000,
      folder: join(folder, 'spool'),
      ...more,
    }),
    left: () => readdir(join(folder, 'spool')).catch(() => []),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function post(body: BodyInit, headers = {}): Request {
  const init = { method: 'POST', body, headers, duplex: 'half' };
  return new Request('http://library.test/upload', init);
}

function form(parts: Record<string, string | Blob>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, `${name}.csv`);
  }
  return data;
}

const boundary = 'edge';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const part = (name: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n${content}\r\n`;

test('files are on disk, fields next to them, and both gone when they are done with', async () => {
  await using room = await spool();
  const csv = new Blob(['a,b\n1,2\n']);
  const body = form({ file: csv, stale: 'false', other: new Blob(['x'.repeat(70_000)]) });
  {
    await using upload = await receiveUpload(post(body), room.rules());
    const [file] = upload.files.get('file') ?? [];
    expect(file).toMatchObject({ name: 'file.csv', bytes: 8 });
    expect(await readFile(file?.path ?? '', 'utf8')).toBe('a,b\n1,2\n');
    expect(upload.files.get('other')?.[0]?.bytes).toBe(70_000);
    expect(upload.fields).toEqual(new Map([['stale', 'false']]));
    expect(await room.left()).toHaveLength(1);
  }
  expect(await room.left()).toEqual([]);
});

test('the name that a client gives a file has no say in where it is kept', async () => {
  await using room = await spool();
  const data = new FormData();
  data.append('file', new Blob(['x']), '../../../etc/passwd');
  await using upload = await receiveUpload(post(data), room.rules());
  expect(upload.files.get('file')?.[0]?.path.startsWith(room.folder)).toBe(true);
  expect(upload.files.get('file')?.[0]?.path).not.toContain('passwd');
});

test('a file or a whole request may be compressed', async () => {
  await using room = await spool();
  const text = 'line\n'.repeat(10_000);
  await using one = await receiveUpload(
    post(form({ file: new Blob([new Uint8Array(gzipSync(text))]) })),
    room.rules(),
  );
  expect(await readFile(one.files.get('file')?.[0]?.path ?? '', 'utf8')).toBe(text);
  expect(one.files.get('file')?.[0]?.bytes).toBe(text.length);
  const whole = new Uint8Array(gzipSync(`${part('file', text)}--${boundary}--\r\n`));
  const headers = { ...multipart, 'content-encoding': 'gzip' };
  await using other = await receiveUpload(post(whole, headers), room.rules());
  expect(await readFile(other.files.get('file')?.[0]?.path ?? '', 'utf8')).toBe(text);
});

test('files and fields that no one asked for are refused by name, or read past with a warning', async () => {
  await using room = await spool();
  const photo = () => form({ photo: new Blob(['x'.repeat(50_000)]), file: new Blob(['a']) });
  await expect(receiveUpload(post(photo()), room.rules())).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'photo', message: 'There is no such form field here.' }],
  });
  const colour = form({ file: new Blob(['a']), colour: 'red' });
  await expect(receiveUpload(post(colour), room.rules())).rejects.toThrow(
    /colour: .* no such form/,
  );
  expect(await room.left()).toEqual([]);
  const headers = new Headers();
  const lenient = room.rules({ meetUnknown: unknownIn('warn', headers) });
  await using upload = await receiveUpload(post(photo()), lenient);
  expect([...upload.files.keys()]).toEqual(['file']);
  expect(headers.get('warning')).toContain('photo: There is no such form field');
});

test('a form that breaks off in a file that no one reads is refused, in whichever way that is met', async () => {
  await using room = await spool();
  const cut = part('file', 'a') + part('nope', 'half of what was to come').slice(0, -10);
  const twice = part('file', 'a') + part('file', 'half of what was to come').slice(0, -10);
  const alone = part('nope', 'half of what was to come');
  for (const how of ['warn', 'refuse'] as const) {
    const rules = room.rules({ meetUnknown: unknownIn(how, new Headers()) });
    for (const body of [cut, twice, alone]) {
      await expect(receiveUpload(post(body, multipart), rules)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  }
  expect(await room.left()).toEqual([]);
});

test('a file may be empty', async () => {
  await using room = await spool();
  await using upload = await receiveUpload(post(form({ file: new Blob([]) })), room.rules());
  expect(upload.files.get('file')?.[0]?.bytes).toBe(0);
});

test('too many bytes are refused, said or not, in one file or in all, packed or not', async () => {
  await using room = await spool();
  const rules = room.rules({ maxBytes: 1000 });
  const stream = new Blob([part('file', 'x'.repeat(200_000)), `--${boundary}--\r\n`]).stream();
  const bomb = new Blob([new Uint8Array(gzipSync(Buffer.alloc(50_000_000)))]);
  const half = new Blob(['x'.repeat(600)]);
  for (const request of [
    post(form({ file: new Blob(['x'.repeat(100_000)]) }), { 'content-length': '100200' }),
    post(stream, multipart),
    post(form({ file: half, other: half })),
    post(form({ file: bomb })),
    post(form({ photo: new Blob(['x'.repeat(200_000)]) })),
  ]) {
    await expect(receiveUpload(request, rules)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The upload is larger than 1000 bytes.',
    });
    expect(await room.left()).toEqual([]);
  }
});

test('what is no form, or a broken one, is refused and leaves nothing behind', async () => {
  await using room = await spool();
  const rules = room.rules();
  const whole = `${part('file', 'a')}--${boundary}--\r\n`;
  const packed = { ...multipart, 'content-encoding': 'gzip' };
  const zipped = new Uint8Array(gzipSync('x'.repeat(10_000)));
  const refusals: [Request, string, RegExp][] = [
    [post('{}', { 'content-type': 'application/json' }), 'UNSUPPORTED_MEDIA_TYPE', /multipart/],
    [post(whole, { 'content-type': 'multipart/form-data' }), 'UNSUPPORTED_MEDIA_TYPE', /multipart/],
    [post(whole, { ...multipart, 'content-encoding': 'br' }), 'UNSUPPORTED_MEDIA_TYPE', /gzip/],
    [
      post(whole, { 'content-type': `multipart/form-data; boundary=${'b'.repeat(5_000)}` }),
      'BAD_REQUEST',
      /boundary of 1 to 70 characters/,
    ],
    [post(part('file', 'a'), multipart), 'BAD_REQUEST', /form/],
    [post('no form at all', multipart), 'BAD_REQUEST', /form/],
    [post(part('file', 'a') + whole, multipart), 'BAD_REQUEST', /only once/],
    [post(form({ stale: 'true' })), 'BAD_REQUEST', /file: The file is missing/],
    [post(whole, packed), 'BAD_REQUEST', /gzip/],
    [post(form({ file: new Blob([zipped.slice(0, 20)]) })), 'BAD_REQUEST', /file: .*gzip/],
    [
      post(
        Array.from({ length: 60 }, () => part('stale', 'a').replace(/; filename=.*"/, '')).join(
          '',
        ) + whole,
        multipart,
      ),
      'BAD_REQUEST',
      /parts/,
    ],
  ];
  for (const [request, code, message] of refusals) {
    await expect(receiveUpload(request, rules)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(await room.left()).toEqual([]);
  }
});

test('an upload that breaks off leaves nothing behind', async () => {
  await using room = await spool();
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(part('file', 'x'.repeat(1000)).slice(0, -10)));
    },
    pull() {
      throw new DOMException('The client left.', 'AbortError');
    },
  });
  await expect(receiveUpload(post(source, multipart), room.rules())).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The upload was cut off.',
  });
  expect(await room.left()).toEqual([]);
});

test('an upload that drips is given up, one that is fast enough is not', async () => {
  await using room = await spool();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const start = new TextEncoder().encode(part('file', 'x').slice(0, -2));
    const open = (controller: ReadableStreamDefaultController) => controller.enqueue(start);
    const drips = new ReadableStream({ start: open });
    const refused = receiveUpload(post(drips, multipart), room.rules());
    refused.catch(() => {});
    await expect.poll(() => room.left()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(15_000);
    await expect(refused).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(await room.left()).toEqual([]);

    let feed: ReadableStreamDefaultController | undefined;
    const flows = new ReadableStream({
      start(controller) {
        open(controller);
        feed = controller;
      },
    });
    const kept = receiveUpload(post(flows, multipart), room.rules());
    await expect.poll(() => room.left()).toHaveLength(1);
    for (let round = 0; round < 3; round += 1) {
      feed?.enqueue(new TextEncoder().encode('x'.repeat(16_000)));
      await new Promise((resolve) => setTimeout(resolve, 20));
      await vi.advanceTimersByTimeAsync(15_000);
    }
    feed?.enqueue(new TextEncoder().encode(`\r\n--${boundary}--\r\n`));
    feed?.close();
    await using upload = await kept;
    expect(upload.files.get('file')?.[0]?.bytes).toBe(48_001);
  } finally {
    vi.useRealTimers();
  }
});

test('memory does not grow with the file', async () => {
  await using room = await spool();
  const chunk = new Uint8Array(1 << 20);
  let sent = 0;
  let peak = 0;
  const before = process.memoryUsage().rss;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(part('file', '').slice(0, -2)));
    },
    pull(controller) {
      peak = Math.max(peak, process.memoryUsage().rss - before);
      sent += 1;
      if (sent <= 300) return controller.enqueue(chunk);
      controller.enqueue(new TextEncoder().encode(`\r\n--${boundary}--\r\n`));
      controller.close();
    },
  });
  const rules = room.rules({ maxBytes: 400 << 20 });
  await using upload = await receiveUpload(post(body, multipart), rules);
  expect(upload.files.get('file')?.[0]?.bytes).toBe(300 << 20);
  expect(peak).toBeLessThan(150 << 20);
});

test('what a crash left is removed after a day, what is being written is not', async () => {
  await using room = await spool();
  const { folder } = room.rules();
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['upload-left', 'upload-coming', 'not-ours']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, '0'), 'x');
    if (name !== 'upload-coming') await utimes(join(folder, name, '0'), old, old);
    await utimes(join(folder, name), old, old);
  }
  await forgetAbandoned(folder);
  expect((await room.left()).sort()).toEqual(['not-ours', 'upload-coming']);
  await forgetAbandoned(join(folder, 'no-such-folder'));
});

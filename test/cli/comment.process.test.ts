// The steps of the documentation for CI, run as they stand against a server, and against fakes of two forges.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { bakery } from '../integrations/imports/bakery.ts';

let catalog: Catalog;
let url: string;
let folder: string;
beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.integration({ name: 'project', type: 'dbt_core' });
  url = await catalog.listen();
  folder = await mkdtemp(join(tmpdir(), 'headwater-ci-'));
  await mkdir(join(folder, 'target'));
  await writeFile(join(folder, 'target/manifest.json'), JSON.stringify(bakery()));
  await mkdir(join(folder, 'bin'));
  await symlink(join(root, 'bin/headwater.mjs'), join(folder, 'bin/headwater'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await catalog[Symbol.asyncDispose]();
});

interface Comment {
  readonly id: number;
  body: string;
}

/** A forge with comments, as GitHub and GitLab list, make and change them. */
interface Forge extends AsyncDisposable {
  readonly address: string;
  readonly comments: Comment[];
  /** Requests by method and path. */
  readonly asked: string[];
  status: number;
}

async function startForge(isAllowed: (request: IncomingMessage) => boolean): Promise<Forge> {
  const comments: Comment[] = [];
  const asked: string[] = [];
  const server: Server = createServer(async (request, answer) => {
    const { method = '' } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://forge');
    asked.push(`${method} ${pathname}`);
    const status = isAllowed(request) ? forge.status : 401;
    const reply = (value: unknown) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const given = await text(request);
    if (status >= 400) return reply({ message: 'no' });
    if (method === 'GET') {
      const [page, size] = ['page', 'per_page'].map((name) => Number(searchParams.get(name)));
      return reply(comments.slice(((page ?? 1) - 1) * (size ?? 1), (page ?? 1) * (size ?? 1)));
    }
    const { body } = JSON.parse(given);
    if (method === 'POST') comments.push({ id: comments.length + 1, body });
    const id = Number(pathname.split('/').at(-1));
    for (const one of comments) if (method !== 'POST' && one.id === id) one.body = body;
    reply({});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  const forge: Forge = {
    address: `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`,
    ...{ comments, asked, status: 200 },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return forge;
}

/** The steps of a page's nth block of YAML that call the command line, as one script. */
async function stepsOf(nth: number): Promise<string> {
  const page = await readFile(join(root, 'docs/command-line.md'), 'utf8');
  const [, section = ''] = page.split('## Reviews of changes in CI');
  const block = [...section.matchAll(/```yaml\n(.*?)```/gs)][nth]?.[1] ?? '';
  expect(block.trim().split('\n').length).toBeLessThanOrEqual(20);
  const { jobs, impact } = parse(block);
  const lines: string[] = jobs
    ? jobs.impact.steps.flatMap(({ run }: { run?: string }) => run ?? [])
    : impact.script;
  return lines.filter((line) => line.includes('headwater')).join('\n');
}

function run(script: string, env: Record<string, string>): Promise<{ code: number; err: string }> {
  const own = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HEADWATER_URL: url,
    HEADWATER_KEY: catalog.keyOf('editor'),
    XDG_CONFIG_HOME: folder,
  };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...own, ...env } };
    execFile('bash', ['--norc', '-e', '-c', script], options, (error, _out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, err });
    });
  });
}

/** What a job of each forge has in its environment. */
async function settingsOf(which: 'github' | 'gitlab', address: string) {
  if (which === 'gitlab') {
    return {
      ...{ CI_API_V4_URL: address, CI_PROJECT_ID: '7', CI_MERGE_REQUEST_IID: '3' },
      GITLAB_TOKEN: 'secret',
    };
  }
  const event = join(folder, 'event.json');
  await writeFile(event, JSON.stringify({ number: 3, pull_request: { id: 9 } }));
  return {
    ...{ GITHUB_API_URL: address, GITHUB_REPOSITORY: 'acme/shop', GITHUB_EVENT_PATH: event },
    GITHUB_TOKEN: 'secret',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  };
}

test.each([
  ['github', 0, '/repos/acme/shop/issues/3/comments', 'PATCH /repos/acme/shop/issues/comments/151'],
  ['gitlab', 1, '/projects/7/merge_requests/3/notes', 'PUT /projects/7/merge_requests/3/notes/151'],
] as const)('%s: one comment is written, and changed by the next run', async (...row) => {
  const [which, nth, list, change] = row;
  await using forge = await startForge(({ headers }) =>
    which === 'github'
      ? headers.authorization === 'Bearer secret'
      : headers['private-token'] === 'secret',
  );
  // Those of others, on more than a page.
  for (let id = 1; id <= 150; id += 1) forge.comments.push({ id, body: `Looks good ${id}` });
  const env = await settingsOf(which, forge.address);
  const script = await stepsOf(nth);
  expect(await run(script, env)).toEqual({ code: 0, err: '' });
  expect(forge.comments).toHaveLength(151);
  const [ours] = forge.comments.slice(150);
  expect(ours?.body).toMatch(/^<!-- headwater:impact -->\n#/);
  expect(forge.asked.at(-1)).toBe(`POST ${list}`);
  if (ours) ours.body = '<!-- headwater:impact -->\nold';
  expect(await run(script, env)).toEqual({ code: 0, err: '' });
  expect(forge.asked.at(-1)).toBe(change);
  expect(forge.comments).toHaveLength(151);
  expect(ours?.body).toMatch(/^<!-- headwater:impact -->\n#/);
  // Another marker is another comment.
  const other = `echo hi | headwater comment --${which} --marker other`;
  expect(await run(other, env)).toEqual({ code: 0, err: '' });
  expect(forge.comments).toHaveLength(152);
});

test('a job that may not comment leaves the text in its summary', async () => {
  await using forge = await startForge(() => true);
  const env = await settingsOf('github', forge.address);
  const summary = () => readFile(join(folder, 'summary.md'), 'utf8').catch(() => '');
  const script = 'echo "what it reaches" | headwater comment --github';
  forge.status = 403;
  expect((await run(script, env)).code).toBe(0);
  expect(await summary()).toBe('what it reaches\n');
  const ended = [
    await run(script, { ...env, GITHUB_TOKEN: '' }),
    await run(script, { ...env, GITHUB_EVENT_PATH: '' }),
  ];
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(await summary()).toBe('what it reaches\n'.repeat(3));
  expect(forge.comments).toEqual([]);
});

test('what a forge answers else has its code', async () => {
  await using forge = await startForge(() => true);
  const env = await settingsOf('gitlab', forge.address);
  const post = 'echo x | headwater comment --gitlab';
  const codes: number[] = [];
  for (const status of [404, 500]) {
    forge.status = status;
    codes.push((await run(post, env)).code);
  }
  codes.push(
    (await run(post, { ...env, CI_API_V4_URL: 'http://127.0.0.1:59' })).code,
    (await run(post, { ...env, CI_API_V4_URL: '' })).code,
    (await run('echo x | headwater comment', env)).code,
    (await run('headwater comment --gitlab < /dev/null', env)).code,
    (await run('echo x | headwater comment --gitlab --marker "-->"', env)).code,
  );
  expect(codes).toEqual([4, 1, 5, 2, 2, 2, 2]);
});

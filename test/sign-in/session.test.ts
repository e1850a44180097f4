// Sessions of people: how they begin and end, what they count for, and who sees and ends them.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { blocksOf } from '../../src/audit/metadata.ts';
import { makeSessionSecret } from '../../src/auth/key-form.ts';
import { deactivateUser, updateUser } from '../../src/people/user.ts';
import { maxSessions } from '../../src/sign-in/user-session.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { OurPage } from './page.ts';

let catalog: Catalog;
let app: App;
let base: string;
beforeAll(async () => {
  catalog = await openCatalog();
  app = await catalog.app({ SESSION_IDLE_MINUTES: '30', SESSION_HOURS: '10' });
  base = await catalog.listen();
});
beforeEach(() => catalog.setTime(null));
afterAll(() => catalog[Symbol.asyncDispose]());

const codeFor = (userId: string) => app.makeCode({ workspaceId: catalog.workspaceId, userId });

/** A page on which a user is signed in. */
async function signedIn(userId: string): Promise<OurPage> {
  const page = new OurPage(base);
  expect((await page.signIn(codeFor(userId))).status).toBe(204);
  return page;
}

const after = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('a one-time code signs in once, with a cookie that no script can read and no other site sends', async () => {
  const page = new OurPage(base);
  const code = codeFor(catalog.idOf('editor'));
  const { status, cookies } = await page.signIn(code);
  expect(status).toBe(204);
  const [cookie = ''] = cookies;
  expect(cookie).toMatch(
    /^headwater-\d+=hws_\w{36}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=36000$/,
  );
  expect(await page.whose()).toBe('editor@example.com');
  const second = await new OurPage(base).signIn(code);
  expect(second.status).toBe(403);
  expect(second.detail).toContain('This link was already used; it works once');
  expect(second.cookies).toEqual([]);
  expect(await page.whose()).toBe('editor@example.com');
});

test('a code works for 15 minutes, and one that was made up never', async () => {
  const code = codeFor(catalog.idOf('viewer'));
  catalog.setTime(after(16));
  const late = await new OurPage(base).signIn(code);
  expect(late.detail).toContain('worked for 15 minutes');
  catalog.setTime(null);
  for (const wrong of ['', 'x', code.slice(1)]) {
    const { status, detail } = await new OurPage(base).signIn(wrong);
    expect(status).toBe(403);
    expect(detail).toContain('another start of the server');
  }
});

test('a code of somebody who was deactivated lets no one in', async () => {
  const user = await catalog.user();
  const code = codeFor(user.id);
  await deactivateUser(catalog.admin, user.id);
  const { status, detail } = await new OurPage(base).signIn(code);
  expect([status, detail]).toEqual([403, expect.stringContaining('was deactivated')]);
});

test('who is refused with a code that was one is in the audit log of the workspace, and no one else', async () => {
  await using own = await openCatalog();
  const { makeCode, settle } = await own.app();
  const at = await own.listen();
  const user = await own.user();
  const codeOf = (userId: string) => makeCode({ workspaceId: own.workspaceId, userId });
  const used = codeOf(own.idOf('viewer'));
  const ofNobody = codeOf(user.id);
  await deactivateUser(own.admin, user.id);
  await new OurPage(at).signIn(used);
  for (const code of [used, ofNobody, 'made-up', '']) {
    expect((await new OurPage(at).signIn(code)).status).toBe(403);
  }
  await settle();
  const entries = await own.database.prisma.auditLog.findMany({
    where: { workspaceId: own.workspaceId, activityType: 'access_refused' },
    orderBy: { sequence: 'asc' },
  });
  expect(entries).toMatchObject([
    { resourceId: own.idOf('viewer'), performerType: 'SYSTEM', performerId: null },
    { resourceId: user.id, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
  const [first = '', second = ''] = entries.map((entry) => blocksOf(entry)[0]?.value);
  expect(first).toMatch(
    /^Headwater refused a sign-in by link: Someone was told: This link was already used/,
  );
  expect(second).toContain('Someone was told: Your account was deactivated.');
  expect(JSON.stringify(entries.map(({ eventBlocks }) => eventBlocks))).not.toContain(used);
});

test('neither signing in nor out is done for pages of others', async () => {
  const code = codeFor(catalog.idOf('viewer'));
  const page = await signedIn(catalog.idOf('admin'));
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect((await new OurPage(base).signIn(code, headers)).status).toBe(403);
    expect((await page.signOut(headers)).status).toBe(403);
  }
  expect(await page.whose()).toBe('admin@example.com');
  // The code was not used up by that.
  expect((await new OurPage(base).signIn(code)).status).toBe(204);
});

test('a cookie that was made up, cut, or sent twice is no one, and a forged one is not looked up', async () => {
  const page = await signedIn(catalog.idOf('admin'));
  const { cookie } = page;
  const name = cookie.split('=')[0] ?? '';
  const forged = [
    `${cookie.slice(0, -1)}!`,
    `${name}=x`,
    `${name}=`,
    `${name}=${catalog.keyOf('admin')}`,
  ];
  const { statements } = await catalog.counting(async () => {
    for (const wrong of forged) {
      page.cookie = wrong;
      expect(await page.whose(), wrong).toBe('UNAUTHENTICATED');
    }
  });
  expect(statements).toEqual([]);
  page.cookie = `${name}=${makeSessionSecret()}`;
  expect(await page.whose()).toBe('UNAUTHENTICATED');
  // Somebody may have planted one of the two.
  page.cookie = `${cookie}; ${name}=${makeSessionSecret()}`;
  expect(await page.whose()).toBe('UNAUTHENTICATED');
  page.cookie = `other=1; ${cookie}; more=2`;
  expect(await page.whose()).toBe('admin@example.com');
});

test('the secret of a session opens no door of keys', async () => {
  const page = await signedIn(catalog.idOf('admin'));
  const secret = page.cookie.split('=')[1] ?? '';
  const { errors } = await catalog.graphql('{ viewer { email } }', {}, { key: secret });
  expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});

test('signing out ends the session, not only the cookie', async () => {
  const page = await signedIn(catalog.idOf('viewer'));
  const { cookie } = page;
  const { status, cookies } = await page.signOut();
  expect(status).toBe(204);
  expect(cookies[0]).toMatch(/^headwater-\d+=; .*Max-Age=0/);
  page.cookie = cookie;
  expect(await page.whose()).toBe('UNAUTHENTICATED');
  const { errors } = await page.ask('{ viewer { email } }');
  expect(errors?.[0]?.message).toBe('Your session has ended: sign in again.');
  expect((await page.signOut()).status).toBe(204);
});

test('a session ends when no one uses it, and at its age even when somebody does', async () => {
  const page = await signedIn(catalog.idOf('viewer'));
  const other = await signedIn(catalog.idOf('viewer'));
  for (const minutes of [29, 58, 87]) {
    catalog.setTime(after(minutes));
    expect(await page.whose(), `${minutes}`).toBe('viewer@example.com');
  }
  expect(await other.whose()).toBe('UNAUTHENTICATED');
  for (let minutes = 110; minutes < 600; minutes += 25) {
    catalog.setTime(after(minutes));
    expect(await page.whose(), `${minutes}`).toBe('viewer@example.com');
  }
  catalog.setTime(after(601));
  expect(await page.whose()).toBe('UNAUTHENTICATED');
});

test('a known session costs no statement for a while, and one write a minute', async () => {
  const page = await signedIn(catalog.idOf('viewer'));
  await page.whose();
  catalog.setTime(after(5));
  const { statements } = await catalog.counting(async () => {
    for (let i = 0; i < 20; i += 1) await page.whose();
  });
  expect(statements.filter((text) => text.includes('update web_session'))).toHaveLength(1);
  expect(statements.length).toBeLessThanOrEqual(3);
});

test('a new role counts, and deactivating ends sessions for good', async () => {
  const user = await catalog.user({ role: 'editor', email: 'soon-gone@example.com' });
  const page = await signedIn(user.id);
  const role = async () => (await page.ask('{ viewer { role } }')).data?.viewer.role;
  expect(await role()).toBe('editor');
  await updateUser(catalog.admin, user.id, { role: 'viewer' });
  expect(await role()).toBe('viewer');
  await deactivateUser(catalog.admin, user.id);
  expect(await page.whose()).toBe('UNAUTHENTICATED');
  await updateUser(catalog.admin, user.id, { archived: false });
  expect(await page.whose()).toBe('UNAUTHENTICATED');
});

test('people see and end their own sessions; keys keep working', async () => {
  const user = await catalog.user({ role: 'viewer' });
  const [one, other] = [await signedIn(user.id), await signedIn(user.id)];
  const { data } = await one.ask('{ mySessions { id method isCurrent userAgent expiresAt } }');
  expect(data.mySessions).toHaveLength(2);
  expect(data.mySessions.filter((s: { isCurrent: boolean }) => s.isCurrent)).toHaveLength(1);
  expect(data.mySessions[0]).toMatchObject({ method: 'link', userAgent: 'node' });
  const second = data.mySessions.find((s: { isCurrent: boolean }) => !s.isCurrent);
  await one.ask(`mutation { endSession(id: "${second.id}") }`);
  expect(await other.whose()).toBe('UNAUTHENTICATED');
  expect(await one.whose()).toBe(user.email);
  const third = await signedIn(user.id);
  const everywhere = await one.ask('mutation { signOutEverywhere }');
  expect(everywhere.data).toEqual({ signOutEverywhere: 2 });
  expect([await one.whose(), await third.whose()]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  const { data: keyed } = await catalog.graphql('{ viewer { email } }', {}, { as: 'viewer' });
  expect(keyed.viewer.email).toBe('viewer@example.com');
});

test('of others only admins see and end sessions, and of other workspaces no one', async () => {
  const user = await catalog.user();
  const page = await signedIn(user.id);
  const list = `{ sessions(userId: "${user.id}") { id } }`;
  const { data } = await catalog.graphql(list);
  const [{ id }] = data.sessions;
  const end = `mutation { endSession(id: "${id}") }`;
  const everywhere = `mutation { signOutEverywhere(userId: "${user.id}") }`;
  const stranger = await catalog.another();
  for (const [asked, code] of [
    [list, 'FORBIDDEN'],
    [end, 'NOT_FOUND'],
    [everywhere, 'FORBIDDEN'],
  ] as const) {
    const { errors } = await catalog.graphql(asked, {}, { as: 'editor' });
    expect(errors?.[0]?.extensions.code, asked).toBe(code);
    const { errors: theirs } = await stranger.graphql(asked);
    expect(theirs?.[0]?.extensions.code, asked).toBe('NOT_FOUND');
  }
  expect(await page.whose()).toBe(user.email);
  expect((await catalog.graphql(everywhere)).data).toEqual({ signOutEverywhere: 1 });
  expect(await page.whose()).toBe('UNAUTHENTICATED');
});

test('the audit log tells of signing in and out, without the secret', async () => {
  const user = await catalog.user({ firstName: 'Ada', lastName: 'Audit' });
  const page = await signedIn(user.id);
  const secret = page.cookie.split('=')[1] ?? '';
  await page.signOut();
  await signedIn(user.id);
  await catalog.graphql(`mutation { signOutEverywhere(userId: "${user.id}") }`);
  const { prisma } = catalog.database;
  const entries = await prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId, activityType: { contains: 'session' } },
    omit: { sequence: true },
    orderBy: { loggedAt: 'asc' },
  });
  const text = JSON.stringify(entries);
  expect(text).toContain('Ada Audit signed in with a one-time link');
  expect(text).toContain('Ada Audit signed out');
  expect(text).toContain(`signed ${user.email} out everywhere (1 session)`);
  expect(entries.find(({ performerId }) => performerId === user.id)?.performerType).toBe('USER');
  expect(text).not.toContain(secret);
  const stored = JSON.stringify(await prisma.webSession.findMany());
  expect(stored).not.toContain(secret.slice(4));
});

test('one person has so many sessions; the one that was used the longest ago goes', async () => {
  const user = await catalog.user();
  const pages: OurPage[] = [];
  for (let i = 0; i <= maxSessions; i += 1) {
    catalog.setTime(after(i / 10));
    pages.push(await signedIn(user.id));
  }
  const { data } = await catalog.graphql(`{ sessions(userId: "${user.id}") { id } }`);
  expect(data.sessions).toHaveLength(maxSessions);
  expect(await pages[0]?.whose()).toBe('UNAUTHENTICATED');
  expect(await pages[1]?.whose()).toBe(user.email);
  const ended = await catalog.database.prisma.auditLog.findMany({
    where: { performerId: user.id, activityType: 'session_ended' },
  });
  expect(ended).toHaveLength(1);
  const began = await catalog.database.prisma.auditLog.findFirst({
    where: { performerId: user.id, activityType: 'session_started' },
    orderBy: { sequence: 'asc' },
  });
  expect(ended).toMatchObject([
    { resourceId: began?.resourceId, relatedResourceIds: [user.id], performerType: 'USER' },
  ]);
});

test('a subscription ends with the session that it was opened in', async () => {
  const page = await signedIn(catalog.idOf('admin'));
  const query = 'subscription { incidentChanged { id } }';
  const response = await page.send('/graphql', JSON.stringify({ query }), {
    accept: 'text/event-stream',
  });
  expect(response.status).toBe(200);
  await page.signOut();
  expect(await response.text()).toContain('UNAUTHENTICATED');
});

test('metrics count by way and outcome, of words that the operator gave', async () => {
  await signedIn(catalog.idOf('viewer'));
  await fetch(`${base}/sign-in/made-up-by-a-client`, { redirect: 'manual' });
  const text = await (await fetch(`${base}/metrics`)).text();
  expect(text).toMatch(/headwater_sign_ins_total\{method="link",outcome="ok"\} \d+/);
  expect(text).toMatch(/headwater_sign_ins_total\{method="link",outcome="code"\} \d+/);
  expect(text).not.toContain('made-up-by-a-client');
});

test('where no provider is set up there is none to choose, and an address of one says so', async () => {
  const page = new OurPage(base);
  const { data } = await page.ask('{ signInProviders { id name } }');
  expect(data).toEqual({ signInProviders: [] });
  const { errors } = await page.ask('{ signInProviders { id } tags(first: 1) { nodes { id } } }');
  expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  const answer = await fetch(`${base}/sign-in/google`, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await answer.text()).toContain('There is no such way to sign in here any more.');
});

test('what a person writes is counted in all of their sessions together, and by no one else', async () => {
  await using limited = await openCatalog({ alone: true });
  const { makeCode } = await limited.app({ RATE_LIMIT_WRITES_PER_MINUTE: '3' });
  const at = await limited.listen();
  const pageOf = async (role: 'admin' | 'editor') => {
    const page = new OurPage(at);
    const owner = { workspaceId: limited.workspaceId, userId: limited.idOf(role) };
    await page.signIn(makeCode(owner));
    return page;
  };
  const other = await pageOf('editor');
  const own: OurPage[] = [];
  for (let i = 0; i < 4; i += 1) own.push(await pageOf('admin'));
  const write = async (page: OurPage, name: string) => {
    const { errors } = await page.ask(`mutation { createTag(input: { name: "${name}" }) { id } }`);
    return errors?.[0]?.extensions.code ?? 'ok';
  };
  const codes: string[] = [];
  for (const round of [1, 2, 3]) {
    for (const [i, page] of own.entries()) codes.push(await write(page, `tag ${round} ${i}`));
  }
  const made = codes.filter((code) => code === 'ok').length;
  expect(codes.slice(0, 3)).toEqual(['ok', 'ok', 'ok']);
  // A minute of the clock may end between them.
  expect([3, 6]).toContain(made);
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(12 - made);
  expect(await write(other, 'of another')).toBe('ok');
});

test('a connection is one of somebody who is known once a session that works was shown on it', async () => {
  const page = await signedIn(catalog.idOf('viewer'));
  const host = new URL(base).host;
  const headers = { host, origin: base, 'x-headwater-explorer': '1' };
  expect(await app.isSignedIn({ ...headers, cookie: page.cookie })).toBe(true);
  expect(await app.isSignedIn({ ...headers, origin: 'http://x', cookie: page.cookie })).toBe(false);
  expect(await app.isSignedIn({ ...headers, cookie: 'x=y' })).toBe(false);
  expect(await app.isSignedIn({ host, authorization: `Bearer ${catalog.keyOf('viewer')}` })).toBe(
    true,
  );
  await page.signOut();
  expect(await app.isSignedIn({ ...headers, cookie: page.cookie })).toBe(false);
});

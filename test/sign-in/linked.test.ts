// What a person learns of a sign-in that is linked to their account: through a real provider, without a browser.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { openCatalog } from '../catalog.ts';
import { startMail } from '../notifications/mail-server.ts';
import { workOff } from '../notifications/work-off.ts';
import { serveApp } from '../serve.ts';
import { hasTool } from '../tool.ts';
import { startProvider } from './openid.ts';

/** Fetches as a browser would, but for scripts: with cookies by origin, and redirects followed by hand. */
class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    let [at, body] = [url, form ? new URLSearchParams(form) : null];
    for (let hop = 0; hop < 20; hop += 1) {
      const { origin } = new URL(at);
      const jar = this.#cookies.get(origin) ?? new Map<string, string>();
      this.#cookies.set(origin, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const method = body ? 'POST' : 'GET';
      const response = await fetch(at, { method, body, headers: { cookie }, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
        jar.set(name, value);
      }
      const to = response.headers.get('location');
      if (to === null) return response;
      [at, body] = [new URL(to, at).href, null];
    }
    throw new Error('Redirected for too long.');
  }

  /** Send the form of a page. */
  async submit(page: Response, fields: Readonly<Record<string, string>>): Promise<Response> {
    const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(await page.text()) ?? [];
    return this.open(new URL(action, page.url).href, fields);
  }
}

test.skipIf(!hasTool('oidc-provider'))(
  'the person is told by mail and inbox, once, and of a new account no one is',
  async () => {
    await using catalog = await openCatalog({ alone: true });
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    await using provider = await startProvider([`${base}/sign-in/company/callback`]);
    const { issuer, clientId, clientSecret } = provider;
    const folder = await mkdtemp(join(tmpdir(), 'headwater-linked-'));
    const file = join(folder, 'sign-in.yaml');
    const company = { id: 'company', name: 'Company', issuer, clientId, clientSecret };
    await writeFile(file, JSON.stringify({ providers: [{ ...company, createAccounts: true }] }));
    const app = await catalog.app({ PUBLIC_URL: base, SIGN_IN_FILE: file });
    await using mails = await startMail(catalog);
    await using _served = await serveApp(app, {}, port);
    // Also who wants no mail: it may be somebody else who signed in.
    const { id } = await catalog.user({ email: 'jane@example.com', emailNotifications: false });
    provider.people.set('jane', { email: 'jane@example.com', email_verified: true });
    provider.people.set('new', { email: 'new@example.com', email_verified: true });
    const signIn = async (who: string) => {
      const visitor = new Visitor();
      const login = await visitor.open(`${base}/sign-in/company`);
      const consent = await visitor.submit(login, { prompt: 'login', login: who, password: 'x' });
      const { status } = await visitor.submit(consent, { prompt: 'consent' });
      expect([who, status]).toEqual([who, 200]);
    };
    await signIn('jane');
    await signIn('new');
    await signIn('jane');
    await workOff(catalog);
    expect(mails.mails).toHaveLength(1);
    const [mail] = mails.mails;
    expect(JSON.stringify(mail)).toContain('jane@example.com');
    expect(JSON.stringify(mail)).toContain('Company can sign in to your account');
    const notified = await catalog.database.prisma.notification.findMany({
      where: { channel: 'inbox' },
    });
    expect(notified).toMatchObject([
      { address: id, event: 'sign_in_linked', state: 'delivered', readAt: null },
    ]);
    await rm(folder, { recursive: true, force: true });
  },
);

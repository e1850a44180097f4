// A page of our own as the server sees it: what it sends with each request, and the cookie that it keeps.

import type { Answer } from '../catalog.ts';

/** What a page is answered. */
export interface Said {
  readonly status: number;
  /** Why not, of what was refused. */
  readonly detail: string;
  readonly cookies: readonly string[];
}

export class OurPage {
  readonly base: string;
  /** As it is sent: a name and a value; empty without one. */
  cookie = '';

  constructor(base: string) {
    this.base = base;
  }

  /** Sign in with a one-time code. */
  signIn(code: string, headers: Readonly<Record<string, string>> = {}): Promise<Said> {
    return this.post('/sign-in/code', { 'x-headwater-code': code, ...headers });
  }

  signOut(headers: Readonly<Record<string, string>> = {}): Promise<Said> {
    return this.post('/sign-out', headers);
  }

  /** Ask GraphQL as the page does; headers that are empty are left out. */
  async ask(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await this.send('/graphql', JSON.stringify({ query }), headers);
    return response.json();
  }

  /** Whose page it is; the code of the refusal where it is no one's. */
  async whose(headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { data, errors } = await this.ask('{ viewer { email } }', headers);
    return data?.viewer.email ?? errors?.[0]?.extensions.code ?? 'nothing';
  }

  send(
    path: string,
    body: string | null,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ): Promise<Response> {
    const usual = {
      'content-type': 'application/json',
      'x-headwater-explorer': '1',
      origin: this.base,
      'sec-fetch-site': 'same-origin',
      cookie: this.cookie,
    };
    const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '');
    return fetch(this.base + path, { method, headers: Object.fromEntries(all), body });
  }

  private async post(path: string, headers: Readonly<Record<string, string>>): Promise<Said> {
    const response = await this.send(path, null, headers);
    const cookies = response.headers.getSetCookie();
    const [cookie = ''] = (cookies[0] ?? '').split(';');
    if (response.ok) this.cookie = /=./.test(cookie) ? cookie : '';
    const text = await response.text();
    return { status: response.status, detail: text && JSON.parse(text).detail, cookies };
  }
}

// Makes a server create secrets, which it shows once, and uses and misuses them.

import { z } from 'zod';
import type { HttpFake } from '../integrations/connectors/http-fake.ts';
import { OurPage } from '../sign-in/page.ts';
import { type Canary, canary, madeSecret } from './canaries.ts';
import type { Visitor } from './visitor.ts';

/** What a server made, and what it answered when it did, without the one place in which it shows the secret. */
export interface Made {
  readonly secrets: readonly Canary[];
  readonly answers: readonly string[];
}

const withId = z.object({ id: z.string() }).loose();
const key = z.object({ key: z.string(), apiKey: withId });
const webhook = z.object({ secret: z.string(), webhook: withId });

/** Make keys, one of which is revoked; `receiver` is told the secrets of webhooks, and is sent something. */
export async function makeSecrets(
  visitor: Visitor,
  address: string,
  receiver: HttpFake & { told: string },
): Promise<Made> {
  const secrets: Canary[] = [];
  const answers: string[] = [];

  /** A mutation that shows what it made. */
  async function make<T extends z.ZodType<object>>(shape: T, name: string, call: string) {
    const { text, data } = await visitor.unheard(`mutation { ${call} }`);
    const made = shape.parse(Object.values(data ?? {})[0]);
    const secret = z.looseObject({ key: z.string().optional(), secret: z.string().optional() });
    const { key: ofKey, secret: ofWebhook } = secret.parse(made);
    const shown = ofKey ?? ofWebhook ?? '';
    secrets.push(madeSecret(name, shown));
    answers.push(text.replace(JSON.stringify(shown), '"shown once"'));
    return { made, shown };
  }

  /** What has to be done, and to be answered. */
  async function asked(query: string, id: string): Promise<void> {
    const { errors } = await visitor.graphql(query, { id });
    if (errors) throw new Error(errors[0]?.message);
  }

  const used = await make(
    key,
    'a key',
    'createApiKey(input: { name: "CI" }) { key apiKey { id prefix } }',
  );
  const gone = await make(
    key,
    'a revoked key',
    'createApiKey(input: { name: "old" }) { key apiKey { id prefix } }',
  );
  const { id: goneId } = gone.made.apiKey;
  await asked('mutation ($id: ID!) { revokeApiKey(id: $id) { id name prefix } }', goneId);
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const first = await make(
    webhook,
    'the secret of a webhook',
    `createWebhook(input: { name: "Pager", url: "${url}", events: [incident_opened] }) {
      secret webhook { id name url } }`,
  );
  const { id } = first.made.webhook;
  receiver.told = first.shown;
  await asked('mutation ($id: ID!) { testWebhook(id: $id) { ok status reason } }', id);
  const second = await make(
    webhook,
    'the next secret of that webhook',
    `rotateWebhookSecret(id: "${id}") { secret webhook { id name } }`,
  );
  receiver.told = second.shown;
  await asked('mutation ($id: ID!) { testWebhook(id: $id) { ok status reason } }', id);
  for (const { shown } of [used, gone, first, second]) await misuse(visitor, address, shown);
  return { secrets, answers };
}

/** A secret in every place where somebody might put it by mistake. */
async function misuse(visitor: Visitor, address: string, secret: string): Promise<void> {
  for (const name of ['revokeApiKey', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook']) {
    const result = { revokeApiKey: '{ id }', deleteWebhook: '{ id }' }[name] ?? '{ __typename }';
    await visitor.graphql(`mutation ($id: ID!) { ${name}(id: $id) ${result} }`, { id: secret });
  }
  await visitor.graphql('mutation ($id: ID!) { endSession(id: $id) }', { id: secret });
  await visitor.graphql('query ($id: ID!) { webhook(id: $id) { name } }', { id: secret });
  await visitor.graphql(`{ webhook(id: "${secret}" { name } }`);
  await visitor.graphql('query ($after: String) { apiKeys(after: $after) { nodes { id } } }', {
    after: secret,
  });
  const segment = encodeURIComponent(secret);
  // What has no form of its own can't be told from an address.
  const own = /^(hwk|hws|whsec)_/.test(secret) ? [`/${segment}`, `/sign-in/${segment}`] : [];
  for (const path of [`/user/${segment}`, `/user?key=${segment}`, ...own]) {
    await visitor.http('GET', `/api/v1${path}`);
  }
  for (const path of [...own, `/graphql?key=${segment}`]) {
    await visitor.http('GET', path);
  }
  const wrong = [`Bearer ${secret}x`, `Basic ${btoa(`user:${secret}`)}`, secret, `Token ${secret}`];
  for (const authorization of wrong) await visitor.as(authorization, '{ viewer { id } }');
  await visitor.as(`Bearer ${secret}`, '{ viewer { id email } apiKeys { nodes { name } } }');
  await new OurPage(address).signIn(secret);
}

/** Sign in by a one-time code, use and misuse the code and the session, and end it. */
export async function signInAndOut(visitor: Visitor, address: string, code: string): Promise<Made> {
  const page = new OurPage(address);
  const { status } = await page.signIn(code);
  if (status !== 204) throw new Error(`The code was answered with ${status}.`);
  const session = page.cookie.split('=')[1] ?? '';
  const answers: string[] = [];
  const asked = async (query: string) => answers.push(JSON.stringify(await page.ask(query)));
  await asked('{ viewer { id email } mySessions { id method userAgent expiresAt } }');
  await asked('{ search(query: "nothing") { totalCount } auditLogs(first: 50) { nodes { id } } }');
  await asked('{ nothing }');
  for (const secret of [code, session]) {
    const { detail } = await new OurPage(address).signIn(secret);
    answers.push(detail);
    await misuse(visitor, address, secret);
  }
  const other = new OurPage(address);
  other.cookie = `${page.cookie}; ${page.cookie}`;
  answers.push(JSON.stringify(await other.ask('{ viewer { id } }')));
  await page.signOut();
  await asked('{ viewer { id } }');
  return {
    secrets: [madeSecret('a one-time code', code), madeSecret('a session', session)],
    answers,
  };
}

/** Come back from a provider that lets no one in; what it was sent. */
export async function failAtProvider(address: string, provider: HttpFake): Promise<Made> {
  const begun = await fetch(`${address}/sign-in/company`, { redirect: 'manual' });
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
  const code = canary('the code of a provider', (core) => core);
  const query = new URLSearchParams({ code: code.secret, state });
  const back = `${address}/sign-in/company/callback`;
  const answers: string[] = [];
  for (const search of [query, new URLSearchParams({ code: code.secret, state: 'x' })]) {
    const response = await fetch(`${back}?${search}`, { headers: { cookie } });
    answers.push(`${[...response.headers].join('\n')}\n${await response.text()}`);
  }
  const sent = provider.asked.find(({ url }) => url.pathname === '/token')?.body ?? '';
  const verifier = new URLSearchParams(sent).get('code_verifier') ?? '';
  return { secrets: [code, madeSecret('the verifier of a sign-in', verifier)], answers };
}

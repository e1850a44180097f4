// What the documentation says about verifying webhooks is what they are signed with.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeSecret, signedHeaders } from '../../src/network/signature.ts';
import { root } from '../house/sources.ts';

const secret = makeSecret();
const body = JSON.stringify({ type: 'ping', data: { name: 'Größe → "x"' } });
const now = () => Math.floor(Date.now() / 1_000);
const signed = (timestamp: number) => signedHeaders([secret], { id: 'message', timestamp, body });

/** What each call of `verify` is given, and what it has to say. */
const cases = () => [
  { args: [secret, signed(now()), body], good: true },
  { args: [secret, signed(now()), body.replace('ping', 'pong')], good: false },
  { args: [makeSecret(), signed(now()), body], good: false },
  { args: [secret, signed(now() - 3_600), body], good: false },
  { args: [secret, { ...signed(now()), 'webhook-id': 'another' }, body], good: false },
  {
    args: [secret, { ...signed(now()), 'webhook-timestamp': String(now() + 9) }, body],
    good: false,
  },
];

async function snippet(language: string): Promise<string> {
  const page = await readFile(join(root, 'docs/notifications.md'), 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  if (!code) throw new Error(`The page has no ${language}.`);
  return code;
}

test('the lines for Node.js verify what is signed, and nothing else', async () => {
  const code = Buffer.from(await snippet('js')).toString('base64');
  const { verify } = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
  for (const { args, good } of cases()) expect(verify(...args), JSON.stringify(args)).toBe(good);
});

test('the lines for Python do, too', async ({ skip }) => {
  const run = promisify(execFile);
  const isThere = await run('python3', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isThere) skip('Python is not installed.');
  const given = cases();
  const calls = JSON.stringify(given.map(({ args }) => args));
  const ask = 'import json, sys\nprint(json.dumps([verify(*c) for c in json.loads(sys.argv[1])]))';
  const { stdout } = await run('python3', ['-c', `${await snippet('python')}\n${ask}`, calls]);
  expect(JSON.parse(stdout)).toEqual(given.map(({ good }) => good));
});

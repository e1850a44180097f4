// Signing in: with a key from the standard input, or by a page of the server on which a person allows it.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { comparedOf, type KeyOpener, makeKeyOpener } from './key-opener.ts';
import { ask, CommandEnd, keepLogin } from './server.ts';

/** How long a person has to allow it, in milliseconds. */
const waitMs = 10 * 60_000;

/** Keep an address and a key. On a terminal, or with `browser`, a page of the server hands the key over. */
export async function logIn(url: string, flags: { readonly browser?: boolean }): Promise<void> {
  if (!URL.canParse(url))
    throw new CommandEnd(
      'usage',
      `Give an address such as https://headwater.example.com, not ${url}.`,
    );
  const byPage = flags.browser ?? process.stdin.isTTY;
  const key = byPage ? await keyByPage(url) : (await text(process.stdin)).trim();
  process.env.HEADWATER_URL = url;
  process.env.HEADWATER_KEY = key;
  const { viewer } = await ask<{ viewer: { name: string; role: string } }>(
    '{ viewer { name role } }',
  );
  const path = await keepLogin(url, key);
  console.log(`${viewer.name} (${viewer.role}), kept in ${path}`);
}

/** Show the page, and wait for what it hands over: to a port of this computer, or pasted here. A key may be pasted as well. */
async function keyByPage(url: string): Promise<string> {
  const opener = await makeKeyOpener();
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(waitMs)]);
  const listener = listenFor(opener, signal);
  try {
    const page = new URL(`${url.replace(/\/+$/, '')}/command-line`);
    const port = String(await listener.port);
    const asked = { to: opener.point, name: hostname(), port };
    for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value);
    console.error(`Open this page, and allow it if it shows ${comparedOf(opener)}:\n`);
    console.error(`  ${page}\n`);
    if (process.stdin.isTTY) show(page.href);
    return await Promise.race([listener.key, pasted(opener, signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandEnd('failed', 'No one allowed it within ten minutes.');
  } finally {
    ending.abort();
  }
}

/** A server on this computer alone, until a key comes that was sealed for this command. */
function listenFor(opener: KeyOpener, signal: AbortSignal) {
  const server = createServer();
  signal.addEventListener('abort', () => {
    server.close();
    server.closeAllConnections();
  });
  const port = new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const key = new Promise<string>((resolve) => {
    server.on('request', async ({ url = '/' }, response) => {
      const code = new URL(url, 'http://127.0.0.1').searchParams.get('code') ?? '';
      const opened = await opener.open(code);
      const [status, says] =
        opened === null
          ? [400, 'This is not a code for the command that waits. Run headwater login again.']
          : [200, 'You are signed in. You can close this page.'];
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(says, () => {
        if (opened !== null) resolve(opened);
      });
    });
  });
  return { port, key };
}

/** What a person pastes: the code that the page shows, or a key. Never ends where nothing is pasted. */
async function pasted(opener: KeyOpener, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  signal.addEventListener('abort', () => lines.close());
  lines.setPrompt('Or paste the code that it shows: ');
  lines.prompt();
  for await (const line of lines) {
    const given = line.trim();
    if (given.startsWith('hwk_')) return given;
    const opened = await opener.open(given);
    if (opened !== null) return opened;
    console.error('This is not a code for this command.');
    lines.prompt();
  }
  return new Promise(() => {});
}

/** Open the page in the browser of this computer, if there is one. */
function show(page: string): void {
  const programs: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [program = 'xdg-open', ...args] = programs[process.platform] ?? [];
  if (process.env.BROWSER === 'none') return;
  const child = spawn(program, [...args, page], { stdio: 'ignore', detached: true });
  // The address stands in the terminal, too.
  child.on('error', () => {});
  child.unref();
}

// Who has a data folder: one process at a time.
//
// The kernel is asked instead of guessing from process ids: anyone who has the folder listens on a unix
// socket in it, which is seen from every namespace and container on the machine. A connection that is
// refused means that no one holds the socket any more, however the one who did has ended.

import { linkSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { listen, socketPath } from './socket.ts';

const holderShape = z.object({ pid: z.number().int(), host: z.string() });

/** The process that has a folder, as it calls itself: the id is the one in its own namespace. */
export type Holder = z.infer<typeof holderShape>;

/** Thrown where another process has the folder. */
export class FolderInUse extends Error {
  readonly holder: Holder | null;
  constructor(folder: string, holder: Holder | null) {
    const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
    super(
      `The data folder ${folder} is in use by ${who}. ` +
        'Stop it first, or set DATA_DIR to another folder.',
    );
    this.holder = holder;
  }
}

const answerMs = 1_000;
/** A process that is busy, or was halted, may take so long to say who it is. */
const patienceMs = 10_000;
const pauseMs = 50;

/**
 * Take the folder, which exists, and return the function that lets go of it. Throws FolderInUse where
 * another process has it.
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const started = performance.now();
  for (;;) {
    const number = newestSocket(folder);
    const state = number === 0 ? 'gone' : await ask(folder, number);
    if (state === 'gone') {
      const release = await take(folder, number + 1);
      if (release) return release;
    } else if (state !== 'silent') {
      throw new FolderInUse(folder, state);
    } else {
      if (performance.now() - started > patienceMs) throw new FolderInUse(folder, null);
      await sleep(pauseMs);
    }
  }
}

/** Who has the folder, or null where no one does. */
export async function holderOf(folder: string): Promise<Holder | null> {
  const number = newestSocket(folder);
  if (number === 0) return null;
  const state = await ask(folder, number);
  return state === 'gone' || state === 'silent' ? null : state;
}

// Sockets are numbered, and the newest is never removed, not even by its owner: so only one process
// can take the number after one that is dead, and no one can remove what another has just taken.
const socketName = (number: number) => `headwater-${number}.lock`;
const socketPattern = /^headwater-(\d+)\.lock$/;

function newestSocket(folder: string): number {
  return Math.max(0, ...socketNumbers(folder));
}

function socketNumbers(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const [, number] = socketPattern.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/**
 * Who listens on a socket of the folder: its holder; `silent` where it is held but no one answers in
 * time; `gone` where no one holds it any more.
 */
function ask(folder: string, number: number): Promise<Holder | 'silent' | 'gone'> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(folder, socketName(number)));
    let text = '';
    const timer = setTimeout(() => end('silent'), answerMs);
    const end = (state: Holder | 'silent' | 'gone') => {
      clearTimeout(timer);
      socket.destroy();
      resolve(state);
    };
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('end', () => end(holderIn(text)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Any other failure, such as a queue that is full, comes from somebody who is there.
      end(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? 'gone' : 'silent');
    });
  });
}

function holderIn(text: string): Holder | 'silent' {
  try {
    return holderShape.parse(JSON.parse(text));
  } catch {
    return 'silent';
  }
}

/** Listen under a number; null where another process was quicker. */
async function take(folder: string, number: number): Promise<(() => Promise<void>) | null> {
  const holder: Holder = { pid: process.pid, host: hostname() };
  // It listens before it has its name: anyone who finds the name finds somebody who answers.
  const unnamed = `headwater-new-${process.pid}-${Date.now()}.lock`;
  const { close } = await listen(folder, unnamed, (socket) => {
    socket.end(JSON.stringify(holder));
  });
  try {
    linkSync(join(folder, unnamed), join(folder, socketName(number)));
  } catch (error) {
    await close();
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  } finally {
    rmSync(join(folder, unnamed), { force: true });
  }
  for (const older of socketNumbers(folder)) {
    if (older < number) rmSync(join(folder, socketName(older)), { force: true });
  }
  return close;
}

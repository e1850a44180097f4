// How much a source may answer to one statement.

import type { Socket } from 'node:net';
import { invalid } from '../../errors.ts';

/** What one statement may answer. */
export const maxAnswerBytes = 64 * 1024 * 1024;

const lookMs = 20;

/** The error for an answer that is larger than anybody needs. */
export function answerTooLarge() {
  const size = `${maxAnswerBytes / 1024 ** 2} MiB`;
  return invalid(`The query answers more than ${size} and was cut: select less.`);
}

/** Do some work on a connection, which is ended when more comes in than is allowed. */
export async function bounded<T>(socket: Socket, work: () => Promise<T>): Promise<T> {
  const start = socket.bytesRead;
  let isTooLarge = false;
  const look = setInterval(() => {
    if (socket.bytesRead - start <= maxAnswerBytes) return;
    isTooLarge = true;
    socket.destroy();
  }, lookMs);
  try {
    return await work();
  } catch (error) {
    throw isTooLarge ? answerTooLarge() : error;
  } finally {
    clearInterval(look);
  }
}

// Long answers of a thread: in pieces, each read in a few milliseconds.

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { mainThread } from '../../limits/fair-queue.ts';
import type { StatementLineage } from './answer.ts';

/** Columns that are read in one go. */
const columnsPerPiece = 2_500;
/** What a statement is besides its columns. */
const ofStatement = 10;

/** More of the columns of the statement before. */
type Columns = Pick<StatementLineage, 'outputs' | 'pairs' | 'indirect'>;

/** A part of an answer: statements, of which the last may go on in the next one. */
export type AnswerPiece = readonly (StatementLineage | Columns)[];

/** Statements in pieces, in their order; one where they are short. */
export function piecesOf(statements: readonly StatementLineage[]): AnswerPiece[] {
  let piece: (StatementLineage | Columns)[] = [];
  const pieces: AnswerPiece[] = [piece];
  let size = 0;
  const next = () => {
    piece = [];
    pieces.push(piece);
    size = 0;
  };
  for (const statement of statements) {
    if (size >= columnsPerPiece) next();
    let open: StatementLineage | Columns = { ...statement, ...noColumns() };
    piece.push(open);
    size += ofStatement + statement.sources.length + statement.unresolved.length;
    /** Where the next column of so many belongs. */
    const roomFor = (columns: number) => {
      if (size >= columnsPerPiece) {
        next();
        open = noColumns();
        piece.push(open);
      }
      size += columns;
      return open;
    };
    for (const one of statement.outputs) roomFor(1 + one.sources.length).outputs.push(one);
    for (const one of statement.pairs) roomFor(1).pairs.push(one);
    for (const one of statement.indirect) roomFor(1).indirect.push(one);
  }
  return pieces;
}

function noColumns(): Columns {
  return { outputs: [], pairs: [], indirect: [] };
}

/** Add what a piece says to the statements that came before it. */
export function addPiece(statements: StatementLineage[], piece: AnswerPiece): void {
  for (const part of piece) {
    if ('kind' in part) {
      statements.push(part);
      continue;
    }
    const last = statements.at(-1);
    last?.outputs.push(...part.outputs);
    last?.pairs.push(...part.pairs);
    last?.indirect.push(...part.indirect);
  }
}

/** Lay pieces down where another thread can read them one by one. */
export function portWith(pieces: readonly AnswerPiece[]): MessagePort {
  const { port1, port2 } = new MessageChannel();
  for (const piece of pieces) port1.postMessage(piece);
  return port2;
}

/** The statements that were laid down, each piece of them read in a turn on the main thread. */
export async function readPieces(port: MessagePort): Promise<StatementLineage[]> {
  const statements: StatementLineage[] = [];
  for (;;) {
    await mainThread.next('sql');
    const received: { message: AnswerPiece } | undefined = receiveMessageOnPort(port);
    if (!received) break;
    addPiece(statements, received.message);
  }
  port.close();
  return statements;
}

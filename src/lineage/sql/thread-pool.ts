// Supervises the parsing threads: hands out texts, watches the clock, replaces what broke.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import { endThread, openThread } from '../../thread.ts';
import type { Lookup, SqlLineage, SqlQuestion, StatementLineage } from './answer.ts';
import type { FromThread, ToThread } from './message.ts';

/** A text ended its thread, or took too long; the message says which. */
export class ThreadFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ThreadFailed';
  }
}

export interface Pool {
  ask(question: SqlQuestion, lookup: Lookup): Promise<SqlLineage>;
  close(): Promise<void>;
}

interface Job {
  readonly question: SqlQuestion;
  readonly lookup: Lookup;
  readonly resolve: (lineage: SqlLineage) => void;
  readonly reject: (error: Error) => void;
  /** What came of the answer so far. */
  readonly statements: StatementLineage[];
}

/** One place for a thread; its thread may be replaced. */
interface Seat {
  worker: Worker | null;
  ready: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
  /** Texts since its thread started. */
  served: number;
}

// The parser recurses deeply on nested SQL; with Node's usual 4 MB it would end on it.
const STACK_MB = 64;
const HEAP_MB = 1_024;
const MOST_WAITING = 1_000;
const START_LIMIT = 60_000;
/** WebAssembly memory only grows: after a long text, or many, a thread is replaced. */
const LONG_TEXT = 200_000;
const MOST_SERVED = 20_000;

/** A pool of up to `threads` threads, started as they are needed; `timeLimit` in milliseconds. */
export function openPool({ threads, timeLimit }: { threads: number; timeLimit: number }): Pool {
  const seats: Seat[] = Array.from({ length: Math.max(1, threads) }, () => ({
    worker: null,
    ready: false,
    job: null,
    timer: undefined,
    served: 0,
  }));
  const waiting: Job[] = [];
  /** Threads that were replaced and are not gone yet. */
  const ending = new Set<Promise<void>>();
  let closed = false;

  function end(worker: Worker): Promise<void> {
    const gone = endThread(worker).finally(() => ending.delete(gone));
    ending.add(gone);
    return gone;
  }

  function next(): void {
    while (waiting.length > 0) {
      // A thread that runs already goes before one that would have to start.
      const free = seats.filter((seat) => seat.job === null);
      const seat = free.find((each) => each.worker !== null) ?? free[0];
      const job = seat && waiting.shift();
      if (!seat || !job) return;
      seat.job = job;
      start(seat);
    }
  }

  function start(seat: Seat): void {
    seat.worker ??= openSeat(seat);
    seat.worker.ref();
    if (seat.ready) send(seat, seat.job);
    else watch(seat, START_LIMIT, 'The SQL parser did not start.');
  }

  function openSeat(seat: Seat): Worker {
    const worker = openThread(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    });
    seat.ready = false;
    seat.served = 0;
    const own = () => seat.worker === worker;
    worker.on('message', (message: FromThread) => own() && receive(seat, message));
    worker.on('error', () => own() && fail(seat, 'The SQL parser can not cope with this text.'));
    worker.on('exit', () => own() && fail(seat, 'The SQL parser ended on this text.'));
    return worker;
  }

  function send(seat: Seat, job: Job | null): void {
    if (!job) return;
    watch(seat, timeLimit, `The text took longer than ${timeLimit / 1000} s to read.`);
    post(seat, { kind: 'question', question: job.question });
  }

  function receive(seat: Seat, message: FromThread): void {
    const { job } = seat;
    if (message.kind === 'ready') {
      seat.ready = true;
      clearTimeout(seat.timer);
      send(seat, job);
    } else if (message.kind === 'names' && job) {
      // The caller's own time is not the thread's.
      clearTimeout(seat.timer);
      void answerNames(seat, job, message.names);
    } else if (message.kind === 'statements' && job) {
      job.statements.push(...message.statements);
    } else if (message.kind === 'answer' && job) {
      const statements = [...job.statements, ...message.lineage.statements];
      release(seat, message.broken || job.question.sql.length > LONG_TEXT);
      job.resolve({ ...message.lineage, statements });
    } else if (message.kind === 'failed' && job) {
      release(seat, message.broken);
      job.reject(new ThreadFailed(`The text could not be traced: ${message.message}`));
    }
  }

  async function answerNames(seat: Seat, job: Job, names: string[][]): Promise<void> {
    try {
      const tables = names.length > 0 ? await job.lookup(names) : [];
      if (seat.job !== job) return;
      watch(seat, timeLimit, `The text took longer than ${timeLimit / 1000} s to trace.`);
      post(seat, { kind: 'tables', tables: [...tables] });
    } catch (error) {
      if (seat.job !== job) return;
      release(seat, true);
      job.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function post(seat: Seat, message: ToThread): void {
    seat.worker?.postMessage(message);
  }

  function watch(seat: Seat, limit: number, message: string): void {
    clearTimeout(seat.timer);
    seat.timer = setTimeout(() => fail(seat, message), limit);
  }

  /** The seat's thread is gone or given up; its text fails, and the next one gets a new thread. */
  function fail(seat: Seat, message: string): void {
    const { job } = seat;
    release(seat, true);
    job?.reject(new ThreadFailed(message));
  }

  function release(seat: Seat, replace: boolean): void {
    clearTimeout(seat.timer);
    seat.job = null;
    seat.served++;
    const { worker, ready } = seat;
    if (replace || seat.served >= MOST_SERVED) {
      seat.worker = null;
      if (worker) void end(worker);
      // The next text shall not wait for a start; a thread that never ran is not tried for ever.
      if (ready && !closed) {
        seat.worker = openSeat(seat);
        seat.worker.unref();
      }
    } else {
      // A thread at rest doesn't keep the process alive.
      worker?.unref();
    }
    if (!closed) next();
  }

  return {
    ask(question, lookup) {
      if (closed) return Promise.reject(unavailable('The SQL engine is closed.'));
      if (waiting.length >= MOST_WAITING) {
        return Promise.reject(unavailable('Too many queries wait to be traced; try again.'));
      }
      // A thread calls back in the context of whoever started it.
      const own = AsyncLocalStorage.bind(lookup);
      return new Promise((resolve, reject) => {
        waiting.push({ question, lookup: own, resolve, reject, statements: [] });
        next();
      });
    },
    async close() {
      closed = true;
      const ended = unavailable('The SQL engine was closed.');
      for (const job of waiting.splice(0)) job.reject(ended);
      for (const seat of seats) {
        const { worker, job } = seat;
        clearTimeout(seat.timer);
        seat.worker = null;
        seat.job = null;
        job?.reject(ended);
        if (worker) void end(worker);
      }
      await Promise.all(ending);
    },
  };
}

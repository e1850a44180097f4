// One place for a parsing thread: hands it a text, watches the clock, replaces it where it broke.
import type { Worker } from 'node:worker_threads';
import { cpuOfThread, endThread, openThread } from '../../process/thread.ts';
import type { Lookup, SqlLineage, SqlQuestion } from './answer.ts';
import type { FromTracer, ToThread } from './message.ts';
import { readPieces } from './pieces.ts';

/** A text ended its thread, or took too long; the message says which. */
export class ThreadFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ThreadFailed';
  }
}

/** A text that is to be traced, and who waits for that. */
export interface Tracing {
  readonly question: SqlQuestion;
  readonly lookup: Lookup;
  readonly resolve: (lineage: SqlLineage) => void;
  readonly reject: (error: Error) => void;
}

// The parser recurses deeply on nested SQL; with Node's usual 4 MB it would end on it.
const STACK_MB = 64;
const HEAP_MB = 1_024;
const START_LIMIT = 60_000;
/** How much longer a text may take by the clock than by the CPU: others may keep the machine busy. */
const WALL_FACTOR = 12;
/** WebAssembly memory only grows: after a long text, or many, a thread is replaced. */
const LONG_TEXT = 200_000;
const MOST_SERVED = 20_000;

/** A place for one thread at a time, which starts with the first text. */
export class ThreadSlot {
  /** How much CPU its thread may use for each step of one text, in milliseconds. */
  readonly #timeLimit: number;
  /** Called when it can take another text. */
  readonly #onFree: () => void;
  #worker: Worker | null = null;
  /** Its thread as the system calls it; null until it says so, and where the system doesn't. */
  #threadId: number | null = null;
  #isReady = false;
  #isClosed = false;
  #text: Tracing | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Texts since its thread started. */
  #served = 0;
  /** Threads that were replaced and are not gone yet. */
  readonly #ending = new Set<Promise<void>>();

  constructor(timeLimit: number, onFree: () => void) {
    this.#timeLimit = timeLimit;
    this.#onFree = onFree;
  }

  get isFree(): boolean {
    return this.#text === null;
  }

  /** Whether it has a thread: another text need not wait for one to start. */
  get hasThread(): boolean {
    return this.#worker !== null;
  }

  /** Have a text traced; the place has to be free. */
  take(text: Tracing): void {
    this.#text = text;
    this.#worker ??= this.#open();
    this.#worker.ref();
    if (this.#isReady) this.#ask(text);
    else this.#watch(START_LIMIT, 'The SQL parser did not start.');
  }

  /** End its thread; a text that is being traced fails with this error. */
  async close(error: Error): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const text = this.#text;
    this.#text = null;
    this.#endThread();
    text?.reject(error);
    await Promise.all(this.#ending);
  }

  #open(): Worker {
    const worker = openThread(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#isReady = false;
    this.#threadId = null;
    this.#served = 0;
    const isOwn = () => this.#worker === worker;
    worker.on('message', (message: FromTracer) => isOwn() && this.#receive(message));
    worker.on('error', () => isOwn() && this.#fail('The SQL parser failed on this text.'));
    worker.on('exit', () => isOwn() && this.#fail('The SQL parser ended on this text.'));
    return worker;
  }

  #ask({ question }: Tracing): void {
    this.#watchWork('read');
    this.#post({ kind: 'question', question });
  }

  #receive(message: FromTracer): void {
    const text = this.#text;
    if (message.kind === 'ready') {
      this.#isReady = true;
      this.#threadId = message.threadId;
      clearTimeout(this.#timer);
      if (text) this.#ask(text);
    } else if (message.kind === 'names' && text) {
      // The caller's own time is not the thread's.
      clearTimeout(this.#timer);
      void this.#answerNames(text, message.names);
    } else if (message.kind === 'answer' && text) {
      const { lineage, rest } = message;
      this.#release(message.broken || text.question.sql.length > LONG_TEXT);
      const whole = rest && readPieces(rest).then((statements) => ({ ...lineage, statements }));
      if (whole) whole.then(text.resolve, text.reject);
      else text.resolve(lineage);
    } else if (message.kind === 'failed' && text) {
      this.#release(message.broken);
      text.reject(new ThreadFailed(`The text could not be traced: ${message.message}`));
    }
  }

  async #answerNames(text: Tracing, names: string[][]): Promise<void> {
    try {
      const tables = names.length > 0 ? await text.lookup(names) : [];
      if (this.#text !== text) return;
      this.#watchWork('trace');
      this.#post({ kind: 'tables', tables: [...tables] });
    } catch (error) {
      if (this.#text !== text) return;
      this.#release(true);
      text.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #watch(limit: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(message), limit);
  }

  /** Give the text up once its thread has used its CPU for a step, or far more time by the clock. */
  #watchWork(step: 'read' | 'trace'): void {
    const limit = this.#timeLimit;
    const [startedAt, usedBefore] = [performance.now(), cpuOfThread(this.#threadId)];
    const look = (): void => {
      const passed = performance.now() - startedAt;
      const used = cpuOfThread(this.#threadId);
      const worked = used === null || usedBefore === null ? passed : used - usedBefore;
      const [left, leftOfClock] = [limit - worked, WALL_FACTOR * limit - passed];
      if (left <= 0) this.#fail(`The text took longer than ${limit / 1000} s of CPU to ${step}.`);
      else if (leftOfClock <= 0) {
        this.#fail(`The text took longer than ${(WALL_FACTOR * limit) / 1000} s to ${step}.`);
      } else this.#timer = setTimeout(look, Math.min(left, leftOfClock));
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(look, limit);
  }

  /** Its thread is gone or given up: the text fails, and the next one gets a new thread. */
  #fail(message: string): void {
    const text = this.#text;
    this.#release(true);
    text?.reject(new ThreadFailed(message));
  }

  #release(isBroken: boolean): void {
    clearTimeout(this.#timer);
    this.#text = null;
    this.#served += 1;
    if (isBroken || this.#served >= MOST_SERVED) {
      const wasReady = this.#isReady;
      this.#endThread();
      // The next text shall not wait for a start; a thread that never ran is not tried for ever.
      if (wasReady && !this.#isClosed) {
        this.#worker = this.#open();
        this.#worker.unref();
      }
    } else {
      // A thread at rest doesn't keep the process alive.
      this.#worker?.unref();
    }
    if (!this.#isClosed) this.#onFree();
  }

  #endThread(): void {
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const gone = endThread(worker).finally(() => this.#ending.delete(gone));
    this.#ending.add(gone);
  }
}

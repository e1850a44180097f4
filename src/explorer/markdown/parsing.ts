// Parsing of Markdown with a time limit: one text after the other, in a thread that is ended when one takes too long.

/** What the thread says: that it listens, and then the HTML of each text, null where that exceeds its bounds. */
export type FromThread =
  | { readonly is: 'ready' }
  | { readonly is: 'parsed'; readonly html: string | null };

/** A thread that was started. */
export interface ParsingThread {
  readonly send: (text: string) => void;
  readonly end: () => void;
}

interface StartOptions {
  readonly heard: (what: FromThread) => void;
  /** Called where the thread breaks, or its file can't be loaded. */
  readonly broke: () => void;
}

interface Order {
  readonly text: string;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  readonly done: (html: string | null) => void;
}

/** Parse a text: its HTML, null where it took longer than it may, came out too large, or no thread could be had. */
export type Parse = (
  text: string,
  /** How long it may take, and until when anyone waits for it. */
  options: { readonly milliseconds: number; readonly signal: AbortSignal },
) => Promise<string | null>;

/** A queue of texts for a thread, which is started when the first comes and again after it was ended. */
export function openParsing(start: (options: StartOptions) => ParsingThread): Parse {
  const waiting: Order[] = [];
  let thread: ParsingThread | undefined;
  let isReady = false;
  let current: Order | undefined;
  let limit: ReturnType<typeof setTimeout> | undefined;

  function finish(html: string | null) {
    clearTimeout(limit);
    current?.done(html);
    current = undefined;
    next();
  }
  function endThread() {
    thread?.end();
    thread = undefined;
    isReady = false;
  }
  function startThread() {
    const started = start({
      heard: (what) => {
        // What an ended thread still said is of no text that anyone waits for.
        if (thread !== started) return;
        isReady ||= what.is === 'ready';
        if (what.is === 'parsed') finish(what.html);
        else next();
      },
      broke: () => {
        if (thread !== started) return;
        endThread();
        current ??= waiting.shift();
        finish(null);
      },
    });
    thread = started;
  }
  function next() {
    while (waiting[0]?.signal.aborted) waiting.shift()?.done(null);
    if (current || waiting.length === 0) return;
    if (!thread) startThread();
    // The time of a text begins with its parsing, not with the start of the thread.
    if (!isReady) return;
    current = waiting.shift();
    if (!current) return;
    limit = setTimeout(() => {
      endThread();
      finish(null);
    }, current.milliseconds);
    thread?.send(current.text);
  }

  return (text, { milliseconds, signal }) =>
    new Promise((done) => {
      waiting.push({ text, milliseconds, signal, done });
      next();
    });
}

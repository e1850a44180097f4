// A connection to the embedded database that looks to node-postgres like a network socket.

import { Duplex } from 'node:stream';

/** What a connection needs of the embedded database. */
export interface Session {
  /** Make the session as new (no transaction, no prepared statements); waits until it is open. */
  begin(): Promise<void>;
  /** Send whole messages that end in a Sync or a Query; answers with PostgreSQL's reply. */
  exchange(messages: Uint8Array): Promise<Uint8Array>;
}

const STARTUP_HEADER = 4;
const MESSAGE_HEADER = 5;
const TERMINATE = 'X'.charCodeAt(0);
/** PostgreSQL answers after these: Sync, (simple) Query and Flush. */
const ANSWERED = new Set(['S', 'Q', 'H'].map((type) => type.charCodeAt(0)));
/** AuthenticationOk, BackendKeyData (zeros: there is nothing to cancel), ReadyForQuery (idle). */
const GREETING = Buffer.from(
  '520000000800000000' + '4b0000000c0000000000000000' + '5a0000000549',
  'hex',
);

/**
 * node-postgres' own way in: `new pg.Pool({ stream: () => new Wire(session) })`. Its messages are
 * gathered until PostgreSQL owes an answer, so a statement is one exchange with the thread and not
 * five, and node-postgres keeps its own protocol code.
 */
export class Wire extends Duplex {
  private buffered: Buffer = Buffer.alloc(0);
  private greeted = false;
  private readonly session: Session;

  constructor(session: Session) {
    super();
    this.session = session;
  }

  /** node-postgres calls the next four on its sockets. */
  connect(): void {
    this.session.begin().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.gather(chunk).then(() => done(), done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.gather(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  private async gather(chunk: Buffer): Promise<void> {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    if (!this.greeted) this.greet();
    const end = answeredLength(this.buffered);
    if (end === 0) return;
    const messages = Uint8Array.prototype.slice.call(this.buffered, 0, end);
    this.buffered = this.buffered.subarray(end);
    const reply = await this.session.exchange(messages);
    if (!this.destroyed) this.push(reply);
  }

  /** The startup message names a user and a database; here there is one of each. */
  private greet(): void {
    if (this.buffered.length < STARTUP_HEADER) return;
    const length = this.buffered.readUInt32BE(0);
    if (this.buffered.length < length) return;
    this.buffered = this.buffered.subarray(length);
    this.greeted = true;
    this.push(GREETING);
  }
}

/** How many of the bytes are whole messages up to the last one that asks for an answer. */
function answeredLength(bytes: Buffer): number {
  let end = 0;
  let at = 0;
  while (at + MESSAGE_HEADER <= bytes.length) {
    const next = at + 1 + bytes.readUInt32BE(at + 1);
    const type = bytes[at];
    // A terminate message would end the one session that every later connection shares.
    if (next > bytes.length || type === undefined || type === TERMINATE) break;
    if (ANSWERED.has(type)) end = next;
    at = next;
  }
  return end;
}

// Reading rows of COPY in PostgreSQL's binary form as they arrive, a piece at a time.

/** A row: where each of its fields begins, and how long it is; -1 for null. */
export interface RowView {
  readonly bytes: Buffer;
  readonly starts: number[];
  readonly lengths: number[];
}

/** Signature, flags and the length of what may follow them. */
const headerBytes = 19;

/** Calls `onRow` with each row of what is pushed to it; a row is valid during the call. */
export class BinaryRows {
  readonly #onRow: (row: RowView) => void;
  readonly #fields: number;
  #rest: Buffer = Buffer.alloc(0);
  #isBegun = false;

  constructor(fields: number, onRow: (row: RowView) => void) {
    this.#fields = fields;
    this.#onRow = onRow;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (!this.#isBegun) {
      if (bytes.length < headerBytes) {
        this.#rest = bytes;
        return;
      }
      this.#isBegun = true;
      at = headerBytes;
    }
    const row = { bytes, starts: new Array(this.#fields), lengths: new Array(this.#fields) };
    for (let next = this.#read(row, at); next > 0; next = this.#read(row, at)) {
      at = next;
      this.#onRow(row);
    }
    this.#rest = bytes.subarray(at);
  }

  /** Where the row at a place ends; 0 where it is not whole yet, or no row follows. */
  #read({ bytes, starts, lengths }: RowView, from: number): number {
    if (from + 2 > bytes.length || bytes.readInt16BE(from) !== this.#fields) return 0;
    let at = from + 2;
    for (let field = 0; field < this.#fields; field += 1) {
      if (at + 4 > bytes.length) return 0;
      const length = bytes.readInt32BE(at);
      starts[field] = at + 4;
      lengths[field] = length;
      at += 4 + Math.max(0, length);
      if (at > bytes.length) return 0;
    }
    return at;
  }
}

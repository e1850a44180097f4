// Reads what a program sends to a receiver of traces: OTLP in protobuf, decoded by hand.

/** A span as a test looks at it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly kind: string;
  /** Nanoseconds since 1970, but for what a number can't hold. */
  readonly began: number;
  readonly ended: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Attributes of the program that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A field of a message: its number, and its value as bytes or as a number. */
interface Field {
  readonly number: number;
  readonly bytes: Buffer;
  readonly value: bigint;
}

const empty = Buffer.alloc(0);
const kinds = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const statusError = 2n;

/** The spans of an ExportTraceServiceRequest; the numbers are those of opentelemetry-proto. */
export function readSpans(body: Buffer): ReceivedSpan[] {
  return inside(body, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(inside(resourceSpans, 1)[0] ?? empty, 1);
    return inside(resourceSpans, 2)
      .flatMap((scopeSpans) => inside(scopeSpans, 2))
      .map((span) => readSpan(span, resource));
  });
}

function readSpan(span: Buffer, resource: Readonly<Record<string, unknown>>): ReceivedSpan {
  const fields = fieldsOf(span);
  const one = (number: number) => fields.find((field) => field.number === number);
  const status = fieldsOf(one(15)?.bytes ?? empty).find(({ number }) => number === 3);
  return {
    traceId: one(1)?.bytes.toString('hex') ?? '',
    spanId: one(2)?.bytes.toString('hex') ?? '',
    parentId: one(4)?.bytes.toString('hex') ?? '',
    name: one(5)?.bytes.toString() ?? '',
    kind: kinds[Number(one(6)?.value ?? 0)] ?? 'unknown',
    began: Number(one(7)?.value ?? 0),
    ended: Number(one(8)?.value ?? 0),
    isError: status?.value === statusError,
    attributes: attributesOf(span, 9),
    resource,
  };
}

/** The messages that a message holds under a number. */
function inside(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message)
    .filter((field) => field.number === number)
    .map(({ bytes }) => bytes);
}

function attributesOf(message: Buffer, number: number): Record<string, unknown> {
  const pairs = inside(message, number).map((pair) => {
    const [key] = inside(pair, 1);
    const [any] = fieldsOf(inside(pair, 2)[0] ?? empty);
    return [key?.toString() ?? '', any ? plain(any) : null] as const;
  });
  return Object.fromEntries(pairs);
}

/** An AnyValue: text, boolean, integer or double. */
function plain({ number, bytes, value }: Field): unknown {
  if (number === 1) return bytes.toString();
  if (number === 2) return value === 1n;
  return number === 4 ? bytes.readDoubleLE() : Number(value);
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    if (at + length > message.length) throw new Error('The message ends too soon.');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, form] = [tag >> 3, tag & 7];
    if (form === 0) fields.push({ number, bytes: empty, value: varint() });
    else if (form === 1) {
      const bytes = take(8);
      fields.push({ number, bytes, value: bytes.readBigUInt64LE() });
    } else if (form === 2) fields.push({ number, bytes: take(Number(varint())), value: 0n });
    else if (form === 5) fields.push({ number, bytes: take(4), value: 0n });
    else throw new Error(`A field has the form ${form}.`);
  }
  return fields;
}

// The header `traceparent`, by which programs say to each other of which trace a call is part.

/** Where a call comes from, as W3C Trace Context has it. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records its part. */
  readonly isSampled: boolean;
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const sampled = 1;

/** Read the header; null where there is none, or it is not what the specification allows. */
export function readTraceParent(header: string | null | undefined): TraceParent | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header ?? '') ?? [];
  // Later versions may say more behind the four parts; the first may not.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) {
    return null;
  }
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampled) === sampled };
}

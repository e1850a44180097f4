// In charge of giving bytes from one thread to another: long ones are handed over rather than copied.

/** From this size on, handing over costs less than copying, and leaves no waste behind. */
const longBytes = 65_536;

/**
 * What to transfer with a message of these bytes: their buffer where they are long and nobody else
 * looks into it. Whoever sends it must not use the bytes again.
 */
export function handedOver({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn && byteLength >= longBytes ? [buffer] : [];
}

/** A port of the loopback that nobody listens on at this moment. */
export function freePort(): Promise<number>;

/** A port of the loopback that no one listens on at this moment. */
export function freePort(): Promise<number>;

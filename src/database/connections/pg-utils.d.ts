// What node-postgres has in a file of its own, which its types leave out.

declare module 'pg/lib/utils.js' {
  const utils: {
    /** How a value is sent: as a text, as bytes, or not at all where it is null. */
    readonly prepareValue: (value: unknown) => string | Buffer | null;
  };
  export default utils;
}

/** A change of a source: what stands there, and what is read instead. */
export interface Change {
  readonly path?: string;
  readonly from: string | RegExp;
  readonly to: string;
}

/** What each negative control takes out of the program's sources. */
export const controls: Readonly<Record<string, readonly Change[]>>;

/** A source of the program without what a control takes out of it. Throws where that is not there. */
export function without(control: string, file: string, source: string): string;

/** Something that a package has inside: see inside.mjs. */
export interface Inside {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly in: string;
  readonly purl: string;
  readonly file: string;
  readonly mark: string;
}

export const inside: readonly Inside[];

/** Packages that the bundler leaves where they are. */
export const external: readonly string[];

/** Build `dist` from `src` of the project in this folder. */
export function bundle(root: string): Promise<void>;

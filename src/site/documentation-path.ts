// Paths of the documentation, whose renderer is loaded when one is asked for.

/** Where its pages are. */
export const prefix = '/docs';

/** Whether a path is of the documentation. */
export function isOfDocs(path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Build `dist/explorer` below a folder from `src/explorer` there. */
export function buildExplorer(root: string): Promise<void>;

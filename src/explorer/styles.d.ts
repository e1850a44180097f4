// What TypeScript must know of that only the build brings: styles, and the addresses of threads.

declare module '*.css';

/** Address of the thread that lays out large pictures; scripts/explorer.mjs puts it in. */
declare const layoutThread: string;
/** Address of the thread that paints large pictures. */
declare const painterThread: string;
/** Address of the thread that parses Markdown. */
declare const markdownThread: string;

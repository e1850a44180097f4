// Starts Headwater, after building what has changed since the last start.

import { buildOrExit } from './build.mjs';

await buildOrExit();
// In this process, so that a signal to it reaches the server itself.
await import('../dist/main.js');

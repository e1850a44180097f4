// Preloaded into a server that a bench starts: answers over IPC how long its event loop was held up.

import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

process.on('message', (message) => {
  if (message !== 'loop delay') return;
  const ms = (nanoseconds) => nanoseconds / 1e6;
  process.send?.({ p99: ms(delay.percentile(99)), max: ms(delay.max) });
  delay.reset();
});
// The server ends by signals, whether or not somebody still asks.
process.channel?.unref();

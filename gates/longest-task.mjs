// Preloaded into a server that is measured: says how long its main thread did one thing at most, and how long it was
// at work in all.
//
// SIGUSR2 begins, SIGUSR2 again ends and prints `longest task: 12.3 ms of 34.5 ms`. A task is one round of the event
// loop, which is what others wait for; its length is CPU time of the main thread, so that a busy machine
// makes it hardly longer. It is looked at each 2 ms, so that it may be reported 2 ms too long. Linux only.

import { closeSync, openSync, readSync } from 'node:fs';

const everyMs = 2;
const scheduling = `/proc/self/task/${process.pid}/schedstat`;
const buffer = Buffer.alloc(100);

let isMeasuring = false;
let longest = 0;
let before = 0;
let began = 0;

/** Milliseconds that the main thread was on a CPU. */
function cpuMs() {
  const file = openSync(scheduling, 'r');
  const length = readSync(file, buffer);
  closeSync(file);
  return Number(buffer.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
}

function look() {
  const now = cpuMs();
  longest = Math.max(longest, now - before);
  before = now;
  if (isMeasuring) setTimeout(look, everyMs);
}

process.on('SIGUSR2', () => {
  isMeasuring = !isMeasuring;
  if (isMeasuring) {
    longest = 0;
    before = cpuMs();
    began = before;
    process.stdout.write('measuring tasks\n');
    setTimeout(look, everyMs);
  } else {
    look();
    const all = before - began;
    process.stdout.write(`longest task: ${longest.toFixed(1)} ms of ${all.toFixed(1)} ms\n`);
  }
});

// Measures the longest task of a page's thread: as long as it took, and the CPU it took of that.

import type { Browser, Page } from '../test/browser.ts';

/** In milliseconds; the time is longer than the CPU by what others had of the cores meanwhile. */
interface LongestTask {
  readonly longestTaskMs: number;
  readonly longestTaskCpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** How long, and of that on the thread's CPU, in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What some work answers, with the longest task of the page meanwhile. */
export async function longestTaskOf<T extends object>(
  { browser, page }: { readonly browser: Browser; readonly page: Page },
  work: () => Promise<T>,
): Promise<T & LongestTask> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const answer = await work();
  const trace = await browser.stopTracing();
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isPages = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args?.name === 'CrRendererMain';
  const pages = new Set(traceEvents.filter(isPages).map(threadOf));
  const tasks = traceEvents.filter((event) => event.ph === 'X' && pages.has(threadOf(event)));
  const most = (times: number[]) => Math.round(times.reduce((a, b) => Math.max(a, b), 0) / 1000);
  return {
    ...answer,
    longestTaskMs: most(tasks.map(({ dur = 0 }) => dur)),
    longestTaskCpuMs: most(tasks.map(({ tdur = 0 }) => tdur)),
  };
}

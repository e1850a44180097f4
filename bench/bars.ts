// The bars that a benchmark holds its figures to.

const bars: { name: string; holds: boolean; seen: string }[] = [];

/** Hold a figure to a bar, to be printed with the others at the end. */
export function bar(name: string, holds: boolean, seen: string): void {
  bars.push({ name, holds, seen });
}

/** Print every bar; where one does not hold, the program ends with status 1. */
export function printBars(): void {
  for (const { name, holds, seen } of bars) {
    console.log(`${holds ? 'ok    ' : 'FAILED'}  ${name.padEnd(52)} ${seen}`);
  }
  const failed = bars.filter(({ holds }) => !holds).length;
  console.log(failed === 0 ? '\nEvery bar holds.' : `\n${failed} bars do not hold.`);
  process.exitCode = failed === 0 ? 0 : 1;
}

// Counts of tests, which a gate that is made of them shows.

/** Say in a line what was counted, where a gate runs the test; elsewhere nothing is printed. */
export function sayCounted(line: string): void {
  if (process.env.GATE) console.log(`Counted: ${line}`);
}

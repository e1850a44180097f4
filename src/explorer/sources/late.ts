// Whether a source is late.

interface Scheduled {
  readonly scheduledExtractionsFrequency: number | null;
  readonly scheduledExtractionsLastRun: string | null;
}

const msPerHour = 3_600_000;

/** Whether a source was not read for twice as long as it is to be. */
export function isLate(source: Scheduled): boolean {
  const { scheduledExtractionsFrequency: hours, scheduledExtractionsLastRun: last } = source;
  return hours !== null && last !== null && Date.now() - Date.parse(last) > 2 * hours * msPerHour;
}

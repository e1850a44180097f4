// Moments, as a person says them.

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** How long ago it was, with the date on demand. */
export function Moment({ at }: { at: string }) {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {relative.format(Math.round(seconds / size), unit)}
    </time>
  );
}

/** A moment as a field of the browser writes it, by its own clock; empty where there is none. */
export function localOf(moment: string | null): string {
  if (moment === null) return '';
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

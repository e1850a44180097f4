// Where a value may lie: around one forecast, or around one of several.

/** A forecast, and how far a value may lie from it to either side. */
export interface Interval {
  readonly forecast: number;
  readonly below: number;
  readonly above: number;
}

/** Another interval in which a value is in order too, and why. */
export interface Alternative extends Interval {
  readonly because: string;
}

/** How far a value lies from the forecast, in multiples of what is allowed; negative below it. */
export function awayFrom({ forecast, below, above }: Interval, value: number): number {
  const away = value - forecast;
  return away === 0 ? 0 : away / (away > 0 ? above : below);
}

export const isIn = ({ forecast, below, above }: Interval, value: number): boolean =>
  value <= forecast + above && value >= forecast - below;

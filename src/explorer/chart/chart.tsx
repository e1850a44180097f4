// Chart of measurements: measured, expected, and out of range.

import { type KeyboardEvent, type PointerEvent, useMemo } from 'react';
import { chartWords } from '../words/quality.ts';
import { figure } from './figures.ts';
import {
  areasOf,
  type Band,
  type ChartPoint,
  nearest,
  paper,
  type Scale,
  scaleOf,
  ticks,
} from './scale.ts';
import { useWidth } from './use-width.ts';

interface ChartProps {
  readonly name: string;
  readonly metric: string;
  /** Oldest first; one at least. */
  readonly points: readonly ChartPoint[];
  /** What would have been expected with other settings, in place of what was. */
  readonly tried: readonly Band[] | null;
  /** The place of the measurement that is looked at. */
  readonly at: number;
  readonly look: (at: number) => void;
}

const usualWidth = 840;
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const lines = 5;
const dot = { breach: 4.5, now: 4 };

/** The chart; arrow keys and the pointer walk along it, and what it says is said in words below. */
export function Chart({ name, metric, points, tried, at, look }: ChartProps) {
  const [place, width] = useWidth<HTMLDivElement>(usualWidth);
  const bands = useMemo(() => tried ?? points.map(bandOf), [points, tried]);
  const scale = useMemo(() => scaleOf(points, bands, width), [points, bands, width]);
  const shown = points[at];
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const to =
      { Home: 0, End: points.length - 1 }[event.key] ?? (step === undefined ? null : at + step);
    if (to === null) return;
    event.preventDefault();
    look(Math.min(points.length - 1, Math.max(0, to)));
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    look(nearest(points, scale, event.clientX - left));
  };
  return (
    <div
      className="chart"
      ref={place}
      role="slider"
      tabIndex={0}
      aria-label={chartWords.slider(name)}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={at}
      aria-valuetext={shown && inWords(metric, shown)}
      onKeyDown={walk}
      onPointerMove={point}
      onPointerDown={point}
    >
      <svg width={width} height={paper.height} aria-hidden="true">
        <Axes metric={metric} scale={scale} width={width} />
        {areasOf(bands, scale).map((area) => (
          <polygon key={area} className={tried ? 'band tried' : 'band'} points={area} />
        ))}
        <polyline className="course" points={points.map((one) => cornerOf(one, scale)).join(' ')} />
        {points
          .filter(({ incidentId, value }) => incidentId !== null || scale.isBeyond(value))
          .map((one) => (
            <Breach key={one.id} point={one} scale={scale} />
          ))}
        {shown && <Now point={shown} scale={scale} />}
      </svg>
    </div>
  );
}

/** A measurement in a sentence. */
export function inWords(metric: string, point: ChartPoint): string {
  const { createdAt, value, incidentId, markedNormal } = point;
  return [
    `${moment.format(new Date(createdAt))}: ${figure(metric, value)}`,
    rangeOf(metric, point) === ''
      ? chartWords.noRange
      : `${chartWords.wanted} ${rangeOf(metric, point)}`,
    ...(incidentId === null ? [] : [chartWords.incident]),
    ...(markedNormal ? [chartWords.normal] : []),
  ].join(', ');
}

/** What was expected; an empty text where nothing was. */
export function rangeOf(metric: string, { lowerThreshold, upperThreshold }: ChartPoint): string {
  if (lowerThreshold === null && upperThreshold === null) return '';
  const [lower, upper] = [lowerThreshold, upperThreshold].map((bound) =>
    bound === null ? null : figure(metric, bound),
  );
  return chartWords.expected(lower ?? null, upper ?? null);
}

const bandOf = ({ createdAt, lowerThreshold, upperThreshold }: ChartPoint): Band => ({
  at: Date.parse(createdAt),
  lower: lowerThreshold,
  upper: upperThreshold,
});

const cornerOf = ({ createdAt, value }: ChartPoint, { x, y }: Scale) =>
  `${x(Date.parse(createdAt)).toFixed(1)},${y(value).toFixed(1)}`;

function Axes({ metric, scale, width }: { metric: string; scale: Scale; width: number }) {
  const { first, last, least, most, y } = scale;
  const parts = width < 500 ? [0, 1] : [0, 0.25, 0.5, 0.75, 1];
  return (
    <g>
      {ticks(least, most, lines).map((value) => (
        <g key={value} className="grid">
          <line x1={paper.left} x2={width - paper.right} y1={y(value)} y2={y(value)} />
          <text x={paper.left - 8} y={y(value) + 4} textAnchor="end">
            {figure(metric, value)}
          </text>
        </g>
      ))}
      {parts.map((part) => (
        <text
          key={part}
          x={scale.x(first + (last - first) * part)}
          y={paper.height - 6}
          textAnchor={part === 0 ? 'start' : part === 1 ? 'end' : 'middle'}
        >
          {day.format(first + (last - first) * part)}
        </text>
      ))}
    </g>
  );
}

/** A value out of range, or beyond the scale: the latter is a triangle at its edge. */
function Breach({ point, scale: { x, y, isBeyond, most } }: { point: ChartPoint; scale: Scale }) {
  const [left, top] = [x(Date.parse(point.createdAt)), y(point.value)];
  const name = point.incidentId === null ? 'beyond' : 'breach';
  if (!isBeyond(point.value)) return <circle className={name} cx={left} cy={top} r={dot.breach} />;
  const tip = point.value > most ? -7 : 7;
  return (
    <path className={name} d={`M${left - 6} ${top - tip / 2}h12l-6 ${tip}z`}>
      <title>{chartWords.beyond}</title>
    </path>
  );
}

function Now({ point, scale: { x, y } }: { point: ChartPoint; scale: Scale }) {
  const left = x(Date.parse(point.createdAt));
  return (
    <g className="now">
      <line x1={left} x2={left} y1={paper.top} y2={paper.height - paper.bottom} />
      <circle cx={left} cy={y(point.value)} r={dot.now} />
    </g>
  );
}

// Chart of measurements: measured, expected, and out of range.

import { type KeyboardEvent, type PointerEvent, useMemo } from 'react';
import { chartWords } from '../words/quality.ts';
import { figure, isTime } from './figures.ts';
import {
  areasOf,
  type Band,
  type ChartPoint,
  labelled,
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
  /** When the time begins that is shown; with the first measurement where absent. */
  readonly from?: string | undefined;
}

const usualWidth = 840;
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const lines = 5;
const dot = { breach: 4.5, now: 4 };

/** The chart; arrow keys and the pointer walk along it, and what it says is said in words below. */
export function Chart({ name, metric, points, tried, at, look, from }: ChartProps) {
  const [place, width] = useWidth<HTMLDivElement>(usualWidth);
  const bands = useMemo(() => tried ?? points.map(bandOf), [points, tried]);
  const scale = useMemo(
    () => scaleOf(points, bands, width, from === undefined ? undefined : Date.parse(from)),
    [points, bands, width, from],
  );
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
        <Course points={points} scale={scale} />
        <Empty points={points} scale={scale} />
        {points
          .filter(({ incidentId, value }) => incidentId !== null || scale.isBeyond(value))
          .map((one) => (
            <Breach key={one.id} point={one} scale={scale} />
          ))}
        <Labels metric={metric} points={points} scale={scale} />
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

interface DrawnProps {
  readonly points: readonly ChartPoint[];
  readonly scale: Scale;
}

/** The course of the values: where it crosses the break of the scale it is dotted. */
function Course({ points, scale }: DrawnProps) {
  const runs: ChartPoint[][] = [];
  for (const point of points) {
    const before = runs.at(-1)?.at(-1);
    if (before && scale.isFar(before.value) === scale.isFar(point.value)) runs.at(-1)?.push(point);
    else runs.push([point]);
  }
  return (
    <>
      {runs.map((run, at) => {
        const joined = [runs[at - 1]?.at(-1), run[0]].filter((one) => one !== undefined);
        return (
          <g key={run[0]?.id}>
            {joined.length === 2 && (
              <polyline
                className="course join"
                points={joined.map((one) => cornerOf(one, scale)).join(' ')}
              />
            )}
            <polyline
              className="course"
              points={run.map((one) => cornerOf(one, scale)).join(' ')}
            />
          </g>
        );
      })}
    </>
  );
}

/** From how many pixels on the time without measurements is said to be that. */
const emptyFrom = 150;

/** That nothing was measured in the first part of the time that is shown. */
function Empty({ points: [begin], scale }: DrawnProps) {
  const left = begin ? scale.x(Date.parse(begin.createdAt)) : 0;
  if (!begin || left - paper.left < emptyFrom) return null;
  return (
    <text x={(paper.left + left) / 2} y={paper.height - paper.bottom - 24} textAnchor="middle">
      {chartWords.emptyBefore(day.format(new Date(begin.createdAt)))}
    </text>
  );
}

/** One label for one point, and no two in each other's way. */
function Labels({ metric, points, scale }: DrawnProps & { readonly metric: string }) {
  return (
    <>
      {labelled(points, scale).map((at) => {
        const point = points[at];
        if (!point) return null;
        const [left, top] = [scale.x(Date.parse(point.createdAt)), scale.y(point.value)];
        const isLeft = left - paper.left < labelRoom;
        return (
          <text
            key={point.id}
            className={point.incidentId === null ? 'value' : 'value out'}
            x={left}
            y={top < paper.top + labelHeight ? top + labelHeight + 4 : top - 9}
            textAnchor={isLeft ? 'start' : 'end'}
          >
            {figure(metric, point.value)}
          </text>
        );
      })}
    </>
  );
}

const labelRoom = 60;
const labelHeight = 14;

function Axes({ metric, scale, width }: { metric: string; scale: Scale; width: number }) {
  const { first, last, stretches, breakAt, y } = scale;
  const dayAt = (part: number) => day.format(first + (last - first) * part);
  // A day that has a label has no other.
  const parts = (width < 500 ? [0, 1] : [0, 0.25, 0.5, 0.75, 1]).filter(
    (part, at, all) => at === 0 || dayAt(part) !== dayAt(all[at - 1] ?? 0),
  );
  return (
    <g>
      {breakAt !== null && (
        <g className="break">
          <path d={`M${paper.left - 12} ${breakAt + 4}l6 -8 6 8 6 -8 6 8`} />
          <line x1={paper.left + 18} x2={width - paper.right} y1={breakAt} y2={breakAt} />
        </g>
      )}
      {stretches
        .flatMap(({ least, most }) =>
          ticks(least, most, lines - (stretches.length - 1) * 2, isTime(metric)),
        )
        .map((value) => (
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
          {dayAt(part)}
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

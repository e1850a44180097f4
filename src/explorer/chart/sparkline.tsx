// Sparkline.

const box = { width: 96, height: 26, edge: 3 };

/** The course of values, oldest first; nothing below two of them. */
export function Sparkline({ values, isOut }: { values: readonly number[]; isOut: boolean }) {
  if (values.length < 2) return <span className="sparkline" />;
  const least = Math.min(...values);
  const height = Math.max(...values) - least || 1;
  const step = (box.width - box.edge * 2) / (values.length - 1);
  const y = (value: number) =>
    box.edge + (1 - (value - least) / height) * (box.height - box.edge * 2);
  const last = values.at(-1) ?? 0;
  return (
    <svg className="sparkline" viewBox={`0 0 ${box.width} ${box.height}`} aria-hidden="true">
      <polyline
        points={values.map((value, at) => `${box.edge + at * step},${y(value)}`).join(' ')}
      />
      <circle className={isOut ? 'out' : ''} cx={box.width - box.edge} cy={y(last)} r="2.5" />
    </svg>
  );
}

// Moving the picture by wheel, mouse, fingers and keys.

import type { Point } from './layout/layout.ts';
import type { Stage } from './stage.ts';

const keyStep = 80;
const keyZoom = 1.25;
const wheelZoom = 0.01;
const keys: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [keyStep, 0],
  ArrowRight: [-keyStep, 0],
  ArrowUp: [0, keyStep],
  ArrowDown: [0, -keyStep],
};

/** Let a person move the stage within a frame; answers how to stop that. */
export function listen(frame: HTMLElement, stage: Stage): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const within = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      stage.zoom(Math.exp(-event.deltaY * wheelZoom), within(event));
    } else stage.move(-event.deltaX, -event.deltaY);
  };
  // React listens passively, and could not keep the page from scrolling.
  frame.addEventListener('wheel', wheel, { passive: false, signal });
  frame.addEventListener('keydown', (event) => pressed(event, frame, stage), { signal });
  listenToPointers(frame, stage, { signal, within });
  return () => stop.abort();
}

function pressed(event: KeyboardEvent, frame: HTMLElement, stage: Stage): void {
  const step = event.target === frame ? keys[event.key] : undefined;
  if (step) {
    event.preventDefault();
    stage.move(...step);
  }
  if (event.key === '+') stage.zoom(keyZoom);
  if (event.key === '-') stage.zoom(1 / keyZoom);
}

interface Listening {
  readonly signal: AbortSignal;
  readonly within: (event: MouseEvent) => Point;
}

/** One pointer moves, two zoom. */
function listenToPointers(frame: HTMLElement, stage: Stage, { signal, within }: Listening): void {
  const down = new Map<number, Point>();
  const begin = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest('button, a, input')) return;
    frame.setPointerCapture(event.pointerId);
    down.set(event.pointerId, within(event));
  };
  const go = (event: PointerEvent) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = within(event);
    const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    down.set(event.pointerId, now);
    if (!other) return stage.move(now.x - before.x, now.y - before.y);
    const grown = distance(now, other) / Math.max(1, distance(before, other));
    stage.zoom(grown, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  };
  const end = ({ pointerId }: PointerEvent) => void down.delete(pointerId);
  frame.addEventListener('pointerdown', begin, { signal });
  frame.addEventListener('pointermove', go, { signal });
  frame.addEventListener('pointerup', end, { signal });
  frame.addEventListener('pointercancel', end, { signal });
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

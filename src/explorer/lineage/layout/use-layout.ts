// The layout of what is to be shown: at once where it is small, on a thread where it is not.

import { useEffect, useMemo, useState } from 'react';
import type { Model } from '../model.ts';
import { type Arrow, type Box, type Layout, layOut } from './layout.ts';

/** What it takes longer to send to a thread than to lay out. */
const smallCards = 150;

/** A picture with the places of its cards. */
export interface Laid {
  readonly model: Model;
  readonly layout: Layout;
}

/** The newest picture whose layout is there. */
export function useLayout(model: Model | null): Laid | null {
  const [later, setLater] = useState<Laid | null>(null);
  const direct = useMemo(() => {
    if (!model || model.cards.size > smallCards) return null;
    const { boxes, arrows } = shapeOf(model);
    return { model, layout: layOut(boxes, arrows) };
  }, [model]);
  useEffect(() => {
    // It stays in sight while the next one is laid out on a thread.
    if (direct) setLater(direct);
    if (!model || direct) return undefined;
    const thread = new Worker(layoutThread, { type: 'module' });
    thread.addEventListener('message', ({ data }: MessageEvent<Layout>) => {
      setLater({ model, layout: data });
    });
    const shape = shapeOf(model);
    // After an update of the server the thread's file is gone: the page lays out by itself, however long that takes.
    thread.addEventListener('error', () =>
      setLater({ model, layout: layOut(shape.boxes, shape.arrows) }),
    );
    thread.postMessage(shape);
    return () => thread.terminate();
  }, [model, direct]);
  return direct ?? later;
}

/** Cards as boxes, and one arrow for all lines between two of them. */
function shapeOf({ cards, lines }: Model): { boxes: Box[]; arrows: Arrow[] } {
  const boxes = [...cards.values()].map(({ id, width, height }) => ({ id, width, height }));
  const arrows = new Map(lines.map(({ pair, from, to }) => [pair, { id: pair, from, to }]));
  return { boxes, arrows: [...arrows.values()] };
}

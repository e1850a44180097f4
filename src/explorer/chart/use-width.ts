// Width of an element, kept up to date.

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** An element's width in pixels; `usual` until it is there. */
export function useWidth<Place extends HTMLElement>(
  usual: number,
): readonly [RefObject<Place | null>, number] {
  const place = useRef<Place>(null);
  const [width, setWidth] = useState(usual);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [place, width];
}

// The picture on paper: all of it, as large as the page is wide.

import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PictureHandle } from '../picture.tsx';
import { svgOf } from './export.ts';

interface PrintedProps {
  readonly of: RefObject<PictureHandle | null>;
}

/** Takes the place of the canvas, which shows a part at the sharpness of a screen, while a page is printed. */
export function Printed({ of }: PrintedProps) {
  const [svg, setSvg] = useState('');
  useEffect(() => {
    const before = () => {
      const drawn = of.current?.scene;
      // The browser prints what there is when this returns.
      flushSync(() => setSvg(drawn ? svgOf(drawn) : ''));
    };
    const after = () => setSvg('');
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, [of]);
  if (svg === '') return null;
  return <img className="printed" alt="" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />;
}

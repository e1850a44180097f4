// Parts of pages that are loaded when they are first shown: no page loads more than it shows.

import { type ComponentType, createElement, Suspense } from 'react';
import { laterPart } from '../asking/version.ts';
import { Waiting } from '../parts/waiting.tsx';
import { Boundary } from './boundary.tsx';

/**
 * A part whose file is asked for when it is first shown. Until it is there its place has room for `lines` lines; where
 * it does not arrive, its place says so and the rest of the page stays.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  lines = 0,
): ComponentType<Props> {
  const Part = laterPart(load);
  return function Later(props: Props) {
    return (
      <Boundary frame={(said) => said}>
        <Suspense fallback={lines === 0 ? null : <Waiting lines={lines} />}>
          {createElement(Part, props)}
        </Suspense>
      </Boundary>
    );
  };
}

// A fact of a resource, under its name.

import type { ReactNode } from 'react';

/** The name, and what is said. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h2>{name}</h2>
      <div>{children}</div>
    </section>
  );
}

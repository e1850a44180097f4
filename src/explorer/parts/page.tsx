// In charge of what every page has: its name in the title of the window, and its heading.

import { type ReactNode, useEffect } from 'react';

/** Name the window after what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Headwater' : `${title} · Headwater`;
  }, [title]);
}

/** A page of text with a heading. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

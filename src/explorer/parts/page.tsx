// Common parts of pages: window title, heading, and what is shown before and
// instead of what was asked for.

import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Refused } from '../asking/operation.ts';
import { words } from '../words.ts';
import { Problem } from './problem.tsx';
import { Waiting } from './waiting.tsx';

/** Whether a page was gone to that is not there yet. */
let isDue = false;

/** Another page was asked for. */
export function expectPage(): void {
  isDue = true;
  beginPage();
}

/** Focus the page where one was asked for and is shown: its code, or what it shows, may come later. */
function beginPage(): void {
  const main = document.getElementById('main');
  if (!isDue || !main) return;
  isDue = false;
  // Somebody who types already goes on typing.
  if (!(document.activeElement instanceof HTMLInputElement)) main.focus({ preventScroll: true });
}

/** Name the window after what it shows, and begin there once it has arrived. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Headwater' : `${title} · Headwater`;
    beginPage();
  }, [title]);
}

interface PageProps {
  readonly title: string;
  /** What can be done here; it stands at the end of the line of the heading. */
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

/** A page of text with a heading. */
export function Page({ title, acts, children }: PageProps) {
  useTitle(title);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <div className="title-line">
        <h1>{title}</h1>
        {acts}
      </div>
      {children}
    </main>
  );
}

interface AnsweredProps<Data> {
  readonly answer: UseQueryResult<Data>;
  /** The field that holds what the page is of: null where there is none. */
  readonly of: keyof Data;
  /** What is said where there is none, and why that may be. */
  readonly missing: string;
  readonly how: string;
  readonly children: (data: Data) => ReactNode;
}

/** The page of one thing: grey until it is there, and a page of its own where there is none. */
export function Answered<Data>({ answer, of, missing, how, children }: AnsweredProps<Data>) {
  const { data, error, refetch } = answer;
  const isMissing = error instanceof Refused && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code);
  if (isMissing || (data && data[of] === null)) {
    return (
      <Page title={missing}>
        <p>{how}</p>
      </Page>
    );
  }
  // What is there stays in sight where only a later request failed.
  if (data) return children(data);
  if (error) {
    return (
      <Page title={words.failed}>
        <Problem error={error} again={() => void refetch()} />
      </Page>
    );
  }
  return (
    <main className="page">
      <Waiting lines={14} />
    </main>
  );
}

// The frame of every page: the rail, the bar, what is wrong with the connection, and the page.

import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { onReachChange, readIsOnline, readReach } from '../asking/operation.ts';
import { useFollow } from '../asking/use-follow.ts';
import { onOld, readIsOld, reload } from '../asking/version.ts';
import { HomeMine, NewsArrived } from '../home/page.graphql';
import { expectPage, Page } from '../parts/page.tsx';
import { Boundary, LoadAnew } from '../window/boundary.tsx';
import { useUnsaved } from '../window/unsaved.ts';
import { frameWords } from '../words/frame.ts';
import { words } from '../words.ts';
import { Bar } from './bar.tsx';
import { RailCounts } from './frame.graphql';
import { Rail } from './rail.tsx';
import { useShortcuts } from './shortcuts.tsx';
import { TabBar } from './tab-bar.tsx';
import { useRail } from './use-rail.ts';

/** A page with what stands around it. */
export function Frame({ children }: { children: ReactNode }) {
  const isOnline = useSyncExternalStore(onReachChange, readIsOnline);
  const isReached = useSyncExternalStore(onReachChange, readReach);
  const isOld = useSyncExternalStore(onOld, readIsOld);
  const [path] = useLocation();
  const shortcuts = useShortcuts();
  useRail(true);
  // Once for all that shows news: a browser has few connections to a server.
  useFollow(NewsArrived, {}, { renewed: [RailCounts.name, HomeMine.name] });
  // Before the arrival, which may load the page again.
  useUnsaved(path);
  useArrival();
  return (
    <div className="app">
      <a className="skip" href="#main">
        {frameWords.skip}
      </a>
      <Rail />
      <div className="room">
        <Bar showShortcuts={shortcuts.show} />
        {!isReached && (
          <p className="unreachable" role="status">
            {isOnline ? words.unreachable : words.offline}
          </p>
        )}
        {isOld && (
          <p className="unreachable" role="status">
            {words.version.new} <LoadAnew />
          </p>
        )}
        <Boundary
          key={pageOf(path)}
          frame={(said) => <Page title={words.version.brokenTitle}>{said}</Page>}
        >
          {children}
        </Boundary>
      </div>
      <TabBar />
      {shortcuts.dialog}
    </div>
  );
}

/** The page of an address: where a tree stands next to what is chosen in it, all that can be chosen is one page. */
function pageOf(path: string): string {
  return /^\/(?:documents|glossary|browse)(?=\/|$)/.exec(path)?.[0] ?? path;
}

/** A new page is seen and heard from its beginning; a search goes on where one types. */
function useArrival(): void {
  const [path] = useLocation();
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    // Somebody who types a search goes on typing.
    if (path !== '/search' && readIsOld() && reload()) return;
    scrollTo(0, 0);
    if (path !== '/search') expectPage();
  }, [path]);
}

// The frame of every page: search, navigation, who is signed in.

import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Link, useLocation, useRoute, useSearch } from 'wouter';
import { onReachChange, readReach } from './asking/operation.ts';
import { useAnswer } from './asking/use-answer.ts';
import { onOld, readIsOld, reload } from './asking/version.ts';
import { ViewerOfKey } from './asking/viewer.graphql';
import { SignOut } from './key/sign-out.tsx';
import { Menu } from './parts/menu.tsx';
import { Page } from './parts/page.tsx';
import { completionsOf } from './search/completions.ts';
import { Boundary, LoadAnew } from './window/boundary.tsx';
import { useChosenInSight } from './window/in-sight.ts';
import { useUnsaved } from './window/unsaved.ts';
import { words } from './words.ts';

/** How long typing pauses before it is asked for. */
const pauseMs = 120;

/** A page with what stands around it. */
export function Frame({ children }: { children: ReactNode }) {
  const isReached = useSyncExternalStore(onReachChange, readReach);
  const isOld = useSyncExternalStore(onOld, readIsOld);
  const [path] = useLocation();
  // Before the arrival, which may load the page again.
  useUnsaved(path);
  useArrival();
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="top">
        <Link className="brand" href="/">
          <img src="/site/logo.svg" alt="" width="24" height="24" />
          <span>Headwater</span>
        </Link>
        <SearchField />
        <Ways />
        <Person />
      </header>
      {!isReached && (
        <p className="unreachable" role="status">
          {words.unreachable}
        </p>
      )}
      {isOld && (
        <p className="unreachable" role="status">
          {words.version.new} <LoadAnew />
        </p>
      )}
      <Boundary key={path} frame={(said) => <Page title={words.version.brokenTitle}>{said}</Page>}>
        {children}
      </Boundary>
    </>
  );
}

/** The ways to the pages: to those that show the viewer something. */
function Ways() {
  const [path] = useLocation();
  const actions = useAnswer(ViewerOfKey, {}).data?.viewer.allowedActions ?? [];
  const around = useChosenInSight<HTMLElement>(`${path} ${actions.length}`);
  const shown = ways.filter(({ needs }) => needs === null || actions.includes(needs));
  return (
    <nav ref={around} aria-label={words.frame.main}>
      {shown.map(({ href, name }) => (
        <Link key={href} href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** A page, and what one must be allowed to do so that it shows something. */
const ways = [
  { href: '/monitors', name: words.frame.monitors, needs: null },
  { href: '/incidents', name: words.frame.incidents, needs: null },
  { href: '/questions', name: words.frame.questions, needs: null },
  { href: '/impact', name: words.frame.impact, needs: null },
  { href: '/imports', name: words.frame.sources, needs: 'read_integrations' },
  { href: '/audit', name: words.frame.audit, needs: 'read_the_audit_log' },
  // Editors find tags and rules there.
  { href: '/admin', name: words.frame.admin, needs: 'edit_monitors' },
] as const;

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
    if (path !== '/search') document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}

/** The field that finds: what is typed is asked for at once, and the address holds it. */
function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const [isSearching] = useRoute('/search');
  const [, navigate] = useLocation();
  const search = useSearch();
  const [completions, setCompletions] = useState<readonly string[]>([]);
  const asked = isSearching ? (new URLSearchParams(search).get('q') ?? '') : '';

  // A field that somebody types in is not written to.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = asked;
  }, [asked]);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (!isForSearch(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  const show = (text: string) => {
    clearTimeout(timer.current);
    const now = new URLSearchParams(isSearching ? location.search : '');
    if (text === '') now.delete('q');
    else now.set('q', text);
    // One entry of the history for a search, not one for each letter.
    navigate(`/search${now.size > 0 ? `?${now}` : ''}`, { replace: isSearching });
  };
  const later = (text: string) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(show, pauseMs, text);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') show(event.currentTarget.value.trim());
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    document.querySelector<HTMLElement>('[data-hit]')?.focus();
  };
  return (
    <search className="find">
      <input
        ref={field}
        type="search"
        defaultValue={asked}
        aria-label={words.frame.searchName}
        aria-keyshortcuts="/ Control+K"
        placeholder={words.frame.search}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        list="completions"
        onChange={(event) => {
          setCompletions(completionsOf(event.currentTarget.value));
          later(event.currentTarget.value.trim());
        }}
        onKeyDown={press}
      />
      <datalist id="completions">
        {completions.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <span className="hint" aria-hidden="true">
        /
      </span>
    </search>
  );
}

/** Whether a key press asks for the search: Ctrl+K anywhere, `/` where no one writes. */
function isForSearch({ key, ctrlKey, metaKey, altKey, target }: globalThis.KeyboardEvent): boolean {
  if (key === 'k' && (ctrlKey || metaKey)) {
    // Where documentation is written it makes a link.
    return !(target instanceof HTMLTextAreaElement);
  }
  if (key !== '/' || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return false;
  return !target.isContentEditable && !target.closest('input, textarea, select, .picture');
}

/** Who is signed in, and the way out. */
function Person() {
  const { data } = useAnswer(ViewerOfKey, {});
  return (
    <Menu className="person" says={data?.viewer.name ?? '…'}>
      <div>
        <p>
          <b>{data?.viewer.email}</b>
          <br />
          <span className="quiet">
            {data?.viewer.role.toLowerCase()} · {data?.viewer.workspace.name}
          </span>
        </p>
        <p className="plain-links">
          <Link href="/sessions">{words.frame.sessions}</Link>{' '}
          <a href="/docs">{words.frame.docs}</a> <a href="/graphql">{words.frame.graphiql}</a>{' '}
          <a href="/api/v1/docs">{words.frame.rest}</a>
        </p>
        <SignOut />
      </div>
    </Menu>
  );
}

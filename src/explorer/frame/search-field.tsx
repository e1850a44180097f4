// The field that finds: data, commands and places in a list below it; on the page of results, the page is the list.

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useRoute, useSearch } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { useViewer } from '../asking/viewer.ts';
import { Icon } from '../parts/icon.tsx';
import { frameWords } from '../words/frame.ts';
import { Suggestions } from './frame.graphql';
import { OptionList, optionId } from './option-list.tsx';
import { isLookedFor, type Option, optionsFor, queryOf } from './options.ts';
import { makingsFor, placesFor } from './places.ts';

const words = frameWords.find;

/** How long typing pauses before it is asked for. */
const pauseMs = 120;

/** The field, and what it offers. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const [isSearching] = useRoute('/search');
  const search = useSearch();
  const [path, navigate] = useLocation();
  const asked = isSearching ? (new URLSearchParams(search).get('q') ?? '') : '';
  const [typed, setTyped] = useState(asked);
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const options = useOptions(typed, isOpen && !isSearching);
  const results = useResults(isSearching);
  const isShown = isOpen && !isSearching;
  const marked = isShown ? options[Math.min(chosen, options.length - 1)] : undefined;

  // A field that somebody types in is not written to.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(asked);
  }, [asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => setIsOpen(false), [path]);
  useSearchKey(field);

  const write = (text: string) => {
    setTyped(text);
    setChosen(0);
    setIsOpen(true);
    if (isSearching) results.later(queryOf(text));
  };
  const take = (option: Option, isApart: boolean) => {
    if (option.text !== null) return write(option.text);
    if (option.href === null) return undefined;
    if (isApart) return void open(option.href, '_blank');
    setIsOpen(false);
    setTyped('');
    field.current?.blur();
    navigate(option.href);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, ctrlKey, metaKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (key === 'Escape') {
      setIsOpen(false);
      field.current?.blur();
    } else if (key === 'Tab') {
      // A list that scrolls would be the next stop, and take the focus along when it closes.
      setIsOpen(false);
    } else if (key === 'Enter') {
      if (isSearching) results.now(queryOf(typed));
      else if (marked) take(marked, ctrlKey || metaKey);
    } else if (step !== undefined) {
      event.preventDefault();
      if (isSearching) document.querySelector<HTMLElement>('[data-hit]')?.focus();
      else if (isShown) setChosen((chosen + step + options.length) % options.length);
      setIsOpen(true);
    }
  };
  return (
    <search className="find">
      <Icon kind="search" />
      <input
        ref={field}
        type="text"
        role="combobox"
        value={typed}
        aria-label={words.label}
        aria-expanded={isShown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={marked && optionId(options.indexOf(marked))}
        aria-keyshortcuts="/ Control+K"
        placeholder={words.placeholder}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => write(event.currentTarget.value)}
        onFocus={() => setIsOpen(true)}
        onClick={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onKeyDown={press}
      />
      <span className="press" aria-hidden="true">
        <kbd>Ctrl K</kbd>
      </span>
      {isShown && <OptionList options={options} marked={marked} take={take} />}
    </search>
  );
}

/** What is offered for what was typed, a moment after the last letter. */
function useOptions(typed: string, isWanted: boolean): readonly Option[] {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(setPaused, pauseMs, typed);
    return () => clearTimeout(timer);
  }, [typed]);
  const actions = useViewer()?.allowedActions ?? [];
  const isAsked = isWanted && isLookedFor(paused);
  const { data } = useAnswer(
    Suggestions,
    { query: queryOf(paused) },
    { isWanted: isAsked, isKept: true },
  );
  const found = isLookedFor(typed) ? data?.search.nodes : [];
  return optionsFor({
    ...{ typed, found, places: placesFor(actions), makings: makingsFor(actions) },
  });
}

/** The page of results follows what is typed: one entry of the history for a search, not one for each letter. */
function useResults(isSearching: boolean) {
  const timer = useRef(0);
  const [, navigate] = useLocation();
  const now = (text: string) => {
    clearTimeout(timer.current);
    const values = new URLSearchParams(location.search);
    if (text === '') values.delete('q');
    else values.set('q', text);
    navigate(`/search${values.size > 0 ? `?${values}` : ''}`, { replace: isSearching });
  };
  const later = (text: string) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(now, pauseMs, text);
  };
  return { now, later };
}

/** Ctrl+K anywhere, `/` where no one writes. */
function useSearchKey(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (!isForSearch(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [field]);
}

function isForSearch(event: globalThis.KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  // Where documentation is written it makes a link.
  if (key === 'k' && (ctrlKey || metaKey)) return !(target instanceof HTMLTextAreaElement);
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting(target);
}

/** Whether a key means a letter of a text, or a move within a picture. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, .picture') !== null;
}

// Shortcuts of the keyboard: `g` and a letter go to a place, a letter alone presses what names it, `?` lists them all.

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '../asking/viewer.ts';
import { frameWords } from '../words/frame.ts';
import { type Place, placesFor } from './places.ts';
import { isWriting } from './search-field.tsx';

const words = frameWords.shortcuts;

/** How long `g` waits for its letter. */
const waitMs = 1_500;
const kept = 'headwater:letters';

/** Whether letters act on their own: a person who speaks to the browser may want them off (WCAG 2.1.4). */
const areLettersOn = () => localStorage.getItem(kept) !== 'off';

/** Listen for them; answers the dialog that lists them, and how it is opened. */
export function useShortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  const places = placesFor(useViewer()?.allowedActions ?? []);
  const show = () => dialog.current?.showModal();
  useLetters(places, show);
  return { show, dialog: <Shortcuts dialog={dialog} places={places} /> };
}

function useLetters(places: readonly Place[], show: () => void): void {
  const [, navigate] = useLocation();
  const begun = useRef(-waitMs);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || !areLettersOn() || isWriting(target)) return;
      if (document.querySelector('dialog[open]')) return;
      const place = places.find(({ letter }) => letter === key);
      if (key === '?') show();
      else if (place && event.timeStamp - begun.current < waitMs) {
        event.preventDefault();
        begun.current = -waitMs;
        navigate(place.href);
      } else if (key === 'g') begun.current = event.timeStamp;
      else pressed(event)?.click();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

/** Letters of what a page may hold. */
const letters = ['c', 'e', 'l', 'f', 'b'] as const;

/** What a letter presses on this page. */
function pressed({ key, target }: KeyboardEvent): HTMLElement | null {
  const letter = letters.find((one) => one === key);
  // In a tree letters find a branch by its name.
  const isTaken = target instanceof Element && target.closest('[role="tree"]') !== null;
  return letter && !isTaken
    ? document.querySelector<HTMLElement>(`[aria-keyshortcuts="${letter}"]`)
    : null;
}

interface ShortcutsProps {
  readonly dialog: { current: HTMLDialogElement | null };
  readonly places: readonly Place[];
}

function Shortcuts({ dialog, places }: ShortcutsProps) {
  const [isOn, setIsOn] = useState(areLettersOn);
  const turn = (on: boolean) => {
    localStorage.setItem(kept, on ? 'on' : 'off');
    setIsOn(on);
  };
  return (
    <dialog ref={dialog} className="shortcuts" aria-labelledby="shortcuts">
      <h2 id="shortcuts">{words.title}</h2>
      <dl>
        <dt>{words.search}</dt>
        <dd>
          <kbd>/</kbd> <kbd>Ctrl K</kbd>
        </dd>
        <dt>{words.help}</dt>
        <dd>
          <kbd>?</kbd>
        </dd>
        {letters.map((letter) => (
          <div key={letter}>
            <dt>{words.acts[letter]}</dt>
            <dd>
              <kbd>{letter}</kbd>
            </dd>
          </div>
        ))}
        {places.map(({ href, name, letter }) => (
          <div key={href}>
            <dt>{words.goTo(name)}</dt>
            <dd>
              <kbd>g</kbd> {words.and} <kbd>{letter}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />{' '}
        {words.letters}
      </label>
      <form method="dialog">
        <button type="submit">{words.close}</button>
      </form>
    </dialog>
  );
}

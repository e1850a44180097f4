// Menus and dialogs over a page: closed by Escape, and when the user goes elsewhere.

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { words } from '../words.ts';
import { Icon } from './icon.tsx';

/** What is done more seldom with what a page is of, behind three dots. */
export function FurtherMenu({ children }: { children: ReactNode }) {
  return (
    <Menu
      className="further-acts"
      says={
        <>
          <Icon kind="dots" />
          <span className="spoken">{words.moreActions}</span>
        </>
      }
    >
      <div className="pop entries-of">{children}</div>
    </Menu>
  );
}

interface MenuProps {
  readonly className: string;
  /** What opens it. */
  readonly says: ReactNode;
  /** What it is called where what opens it is a picture. */
  readonly name?: string;
  /** The letter that opens it. */
  readonly letter?: string;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** The summary, and what it opens. */
export function Menu({ className, says, name, letter, onToggle, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const elsewhere = ({ target }: Event) => {
      const { current } = menu;
      if (current && target instanceof Node && !current.contains(target)) current.open = false;
    };
    addEventListener('pointerdown', elsewhere);
    addEventListener('focusin', elsewhere);
    return () => {
      removeEventListener('pointerdown', elsewhere);
      removeEventListener('focusin', elsewhere);
    };
  }, []);
  const press = (event: KeyboardEvent<HTMLDetailsElement>) => {
    const { current } = menu;
    if (event.key !== 'Escape' || !current?.open) return;
    // It means this menu, and not what is below it.
    event.stopPropagation();
    current.open = false;
    current.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={menu}
      className={className}
      onKeyDown={press}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      onClick={({ target }) => {
        // A link in it leads away.
        if (menu.current && target instanceof Element && target.closest('a')) {
          menu.current.open = false;
        }
      }}
    >
      <summary aria-label={name} aria-keyshortcuts={letter} title={name}>
        {says}
      </summary>
      {children}
    </details>
  );
}

// Toolbar of the editor: one of its buttons is reached by Tab, the others by arrows.

import { type KeyboardEvent, useRef, useState } from 'react';
import { Drawn } from '../parts/icon.tsx';
import { writingWords as words } from '../words/writing.ts';
import type { Tool } from './marks.ts';

/** What a button stands for: a mark of Markdown, or an image that is chosen. */
export type ToolbarTool = Tool | 'image';

/** The tools, in groups, and what their buttons show: a path, or a text. */
const tools: readonly (readonly ToolbarTool[])[] = [
  ['heading', 'bold', 'italic', 'code', 'link'],
  ['bullets', 'numbers', 'tasks', 'quote', 'table', 'image'],
  ['mention', 'resource'],
];

const signs: Readonly<Partial<Record<ToolbarTool, string>>> = {
  heading: 'H',
  bold: 'B',
  italic: 'I',
  mention: '@',
  resource: '[[ ]]',
};

const paths: Readonly<Partial<Record<ToolbarTool, string>>> = {
  code: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  link: 'M7 9.5a2.8 2.8 0 0 0 4 .3l2-2a2.8 2.8 0 0 0-4-4l-1 1M9 6.5a2.8 2.8 0 0 0-4-.3l-2 2a2.8 2.8 0 0 0 4 4l1-1',
  bullets: 'M6 4h8M6 8h8M6 12h8M2.5 4v.01M2.5 8v.01M2.5 12v.01',
  numbers: 'M6.5 4h7.5M6.5 8h7.5M6.5 12h7.5M2 3l1.2-.7V6M2 10.2h2L2 13.2h2.2',
  tasks: 'M2 3h4v4H2zM9 5h5M2 11l1.5 1.5L6.5 10M9 11.5h5',
  quote: 'M2.5 3v10M6 5h8M6 8h8M6 11h5',
  table: 'M2 3h12v10H2zM2 6.5h12M7 6.5V13',
  image: 'M2 3h12v10H2zM2 11l3.5-3.5 3 3 2-2L14 12M10.5 6v.01',
};

/** The buttons. */
export function Toolbar({ use }: { use: (tool: ToolbarTool) => void }) {
  const bar = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<ToolbarTool>('heading');
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const last = buttons.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  };
  return (
    <div
      ref={bar}
      className="tools"
      role="toolbar"
      aria-label={words.toolbar}
      tabIndex={-1}
      onKeyDown={press}
    >
      {tools.map((group) => (
        <span key={group[0]}>
          {group.map((tool) => (
            <button
              key={tool}
              type="button"
              className={tool}
              title={words.tools[tool]}
              aria-label={words.tools[tool]}
              tabIndex={tool === reached ? 0 : -1}
              onFocus={() => setReached(tool)}
              onClick={() => use(tool)}
            >
              <Sign of={tool} />
            </button>
          ))}
        </span>
      ))}
    </div>
  );
}

function Sign({ of }: { of: ToolbarTool }) {
  const path = paths[of];
  return path === undefined ? signs[of] : <Drawn path={path} />;
}

// Tree of links: each branch is loaded when it is opened; moved in by keys, and what may be moved by dragging.

import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from 'wouter';
import type { Rest } from '../asking/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { stepBy } from './steps.ts';

/** Something in the tree. */
export interface TreeNode {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly href: string;
  /** Whether something lies in it. */
  readonly isBranch: boolean;
  /** What stands at its end, such as how much lies in it. */
  readonly says?: string;
}

/** What lies in one of them, as far as it is loaded. */
export interface TreeBranch {
  readonly nodes: readonly TreeNode[];
  readonly rest: Rest;
  readonly error: Error | null;
}

export interface TreeProps {
  readonly label: string;
  /** Loads what lies in one of them, or in none for null, and shows it. */
  readonly branch: (id: string | null, show: (branch: TreeBranch) => ReactNode) => ReactNode;
  /** The one whose page is shown; null for none. */
  readonly current: string | null;
  /** Those that the current one lies in: they are open from the beginning. */
  readonly around: readonly string[];
  /** Move one from another, or from none, into another or into none; absent where nothing is moved. */
  readonly move?: ((id: string, into: TreeNode | null, from: string | null) => void) | undefined;
}

interface Inner extends TreeProps {
  readonly isOpen: (id: string) => boolean;
  readonly open: (id: string, isOpen: boolean) => void;
  /** The one that Tab reaches. */
  readonly reached: string | null;
  readonly reach: (id: string) => void;
}

/** The tree. */
export function Tree(props: TreeProps) {
  const root = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [reached, setReached] = useState<string | null>(null);
  const typed = useRef({ text: '', at: 0 });
  const inner: Inner = {
    ...props,
    isOpen: (id) => opened.get(id) ?? props.around.includes(id),
    open: (id, isOpen) => setOpened((before) => new Map(before).set(id, isOpen)),
    reached: reached ?? props.current,
    reach: setReached,
  };
  // Where the one that Tab reaches is not there, the first is in its place.
  useLayoutEffect(() => {
    const items = itemsOf(root.current);
    if (items.some((item) => item.tabIndex === 0)) return;
    const [first] = items;
    if (first) first.tabIndex = 0;
  });
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const items = itemsOf(root.current);
    const at = items.findIndex((item) => item.matches(':focus'));
    const item = items[at];
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const now = Date.now();
    const { text } = typed.current;
    const typing = (now - typed.current.at < 600 ? text : '') + event.key.toLowerCase();
    const step = stepBy(event.key, typing, items.map(stateOf), at);
    if (event.key.length === 1 && event.key !== '*') typed.current = { text: typing, at: now };
    if (step === null) return;
    event.preventDefault();
    for (const id of step.open ?? []) inner.open(id, true);
    if (step.close) inner.open(step.close, false);
    if (step.to !== undefined) items[step.to]?.focus();
  };
  return (
    <div
      ref={root}
      className="tree"
      role="tree"
      tabIndex={-1}
      aria-label={props.label}
      onKeyDown={press}
    >
      <Branch of={null} level={1} tree={inner} />
    </div>
  );
}

function itemsOf(root: HTMLElement | null): readonly HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
}

function stateOf(item: HTMLElement) {
  const expanded = item.getAttribute('aria-expanded');
  return {
    id: item.dataset.id ?? '',
    name: item.dataset.title?.toLowerCase() ?? '',
    level: Number(item.getAttribute('aria-level')),
    isOpen: expanded === null ? null : expanded === 'true',
  };
}

function Branch({ of, level, tree }: { of: string | null; level: number; tree: Inner }) {
  return tree.branch(of, ({ nodes, rest, error }) => (
    <>
      {error && <Problem error={error} />}
      {nodes.map((node) => (
        <Item key={node.id} node={node} from={of} level={level} tree={tree} />
      ))}
      {rest.has && (
        <button type="button" className="tree-more" onClick={rest.load}>
          {rest.isLoading ? words.loading : words.more}
        </button>
      )}
    </>
  ));
}

/** What is dragged, which a page may look at only when it is dropped. */
let dragged: { readonly id: string; readonly from: string | null } | null = null;

interface ItemProps {
  readonly node: TreeNode;
  /** What it lies in. */
  readonly from: string | null;
  readonly level: number;
  readonly tree: Inner;
}

function Item({ node, from, level, tree }: ItemProps) {
  const { id, title, kind, href, isBranch, says } = node;
  const [isOver, setOver] = useState(false);
  const isOpen = isBranch && tree.isOpen(id);
  const isCurrent = id === tree.current;
  const canDrop = () => tree.move !== undefined && dragged !== null && dragged.id !== id;
  const over = (event: DragEvent) => {
    if (!canDrop()) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    if (dragged !== null && canDrop()) tree.move?.(dragged.id, node, dragged.from);
  };
  return (
    <>
      <Link
        className={isOver ? 'over' : ''}
        href={href}
        role="treeitem"
        aria-level={level}
        aria-expanded={isBranch ? isOpen : undefined}
        aria-selected={isCurrent}
        aria-current={isCurrent ? 'page' : undefined}
        data-id={id}
        data-title={title}
        data-level={Math.min(level, 12)}
        tabIndex={id === tree.reached ? 0 : -1}
        draggable={tree.move !== undefined}
        onFocus={() => tree.reach(id)}
        onDragStart={({ dataTransfer }: DragEvent) => {
          dragged = { id, from };
          dataTransfer.effectAllowed = 'move';
          dataTransfer.setData('text/plain', title);
        }}
        onDragEnd={() => {
          dragged = null;
        }}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span
          className="twist"
          aria-hidden="true"
          onClick={(event) => {
            if (!isBranch) return;
            event.preventDefault();
            tree.open(id, !isOpen);
          }}
        >
          {isBranch && <Icon kind={isOpen ? 'down' : 'right'} />}
        </span>
        <Icon kind={kind} />
        <bdi>{title}</bdi>
        {says !== undefined && <small>{says}</small>}
      </Link>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a tree
        <div role="group">
          <Branch of={id} level={level + 1} tree={tree} />
        </div>
      )}
    </>
  );
}

/** The place to drop what is to lie in nothing; nothing where nothing may be moved. */
export function DropZone({ says, move }: { says: string; move: TreeProps['move'] }) {
  const [isOver, setOver] = useState(false);
  if (!move) return null;
  return (
    <p
      className={`quiet drop-here ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        if (dragged === null) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged !== null) move(dragged.id, null, dragged.from);
      }}
    >
      {says}
    </p>
  );
}

// One part of the settings: a list with what makes a new one above it, and the form of a row in the side column.

import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import type { List } from '../asking/use-answer.ts';
import { More } from '../parts/more.tsx';
import { useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { adminWords as words } from '../words/admin.ts';
import { words as common, number } from '../words.ts';

/** How many rows a list begins with. */
export const atOnce = 50;

interface Row {
  readonly id: string;
  readonly name: string;
}

interface PartProps<Node extends Row> {
  readonly title: string;
  /** What these are, in a sentence or two. */
  readonly hint?: string;
  readonly list: List<unknown, Node>;
  /** What the button is called that makes one; absent where that is not done here. */
  readonly makes?: string;
  /** The heads of the columns after the name. */
  readonly heads: readonly string[];
  /** What stands in them. */
  readonly cells: (node: Node) => readonly ReactNode[];
  /** The sign before the name. */
  readonly mark?: (node: Node) => ReactNode;
  /** What stands behind the name. */
  readonly beside?: (node: Node) => ReactNode;
  /** What an empty list says; that there are none yet, unless given. */
  readonly none?: string;
  /** What stands above the list, such as its filters. */
  readonly above?: ReactNode;
  /** The form of a row; of a new one for null. */
  readonly form: (node: Node | null, close: () => void) => ReactNode;
}

const isNew = 'new';

/** The part; its address holds which row is open. */
export function Part<Node extends Row>(props: PartProps<Node>) {
  const { title, hint, list, makes, above, form } = props;
  const view = useAddress();
  const opened = view.one('open');
  const node = list.nodes.find(({ id }) => id === opened) ?? null;
  const isOpen = node !== null || (opened === isNew && makes !== undefined);
  const close = () => {
    view.change({ open: null });
    document.querySelector<HTMLElement>(`[data-opens="${opened}"]`)?.focus();
  };
  useTitle(title);
  return (
    <>
      <header className="part-head">
        <h1>{title}</h1>
        {makes && (
          <Link
            className="button main"
            href={addressOf(view.one('part'), isNew)}
            data-opens={isNew}
            replace
          >
            {makes}
          </Link>
        )}
      </header>
      {hint && <p className="quiet">{hint}</p>}
      {above}
      <div className={isOpen ? 'sides' : undefined}>
        <div>
          <Rows {...props} opened={opened} part={view.one('part')} />
          <More rest={list.rest} />
        </div>
        {isOpen && (
          <Side key={opened} title={node?.name ?? makes ?? ''} close={close}>
            {form(node, close)}
          </Side>
        )}
      </div>
    </>
  );
}

function addressOf(part: string, opened: string): string {
  return `/admin?${new URLSearchParams({ ...(part === '' ? {} : { part }), open: opened })}`;
}

interface RowsProps<Node extends Row> extends PartProps<Node> {
  readonly opened: string;
  readonly part: string;
}

function Rows<Node extends Row>(props: RowsProps<Node>) {
  const { title, list, heads, cells, mark, beside, opened, part } = props;
  const { data, nodes, error, refetch } = list;
  if (error && !data) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={8} />;
  if (nodes.length === 0) return <p className="nothing">{props.none ?? words.none(title)}</p>;
  return (
    <table className="settings-list" aria-label={title}>
      <thead>
        <tr>
          {[words.name, ...heads].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <tr key={node.id} aria-selected={undefined} className={node.id === opened ? 'open' : ''}>
            <th scope="row">
              {mark?.(node)}
              <Link
                href={addressOf(part, node.id)}
                data-opens={node.id}
                aria-current={node.id === opened || undefined}
                replace
              >
                {node.name}
              </Link>
              {beside?.(node)}
            </th>
            {cells(node).map((cell, at) => (
              <td key={heads[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SideProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The side column: the keyboard goes to its heading, and Escape leaves it. */
function Side({ title, close, children }: SideProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      className="side"
      aria-label={title}
      onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && close()}
    >
      <header>
        <h2 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h2>
        <button type="button" className="away" aria-label={common.dialog.close} onClick={close}>
          ×
        </button>
      </header>
      {children}
    </section>
  );
}

/** A number in a list. */
export function Count({ of }: { of: number }) {
  return <span className={of === 0 ? 'quiet' : undefined}>{number(of)}</span>;
}

// Contents of a shelf: its tree, or what has a part of a name.

import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useList } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { Icon } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { Tree, type TreeBranch, type TreeNode, type TreeProps } from '../tree/tree.tsx';
import { deprecationWords } from '../words/resource.ts';
import { shelfWords as words } from '../words/shelf.ts';
import { ShelfBranch, type ShelfBranchData } from './shelf.graphql';
import { type OnShelf, type Shelf, whereIn, whereNamed } from './shelf.ts';

const atOnce = 100;
const of = ({ resources }: ShelfBranchData) => resources;

interface ContentsProps extends Pick<TreeProps, 'current' | 'around' | 'move'> {
  readonly shelf: Shelf;
}

/** The field that narrows it, and the tree. */
export function Contents({ shelf, ...tree }: ContentsProps) {
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const { states } = shelf;
  const mayWrite = useMay('edit_resources');
  const name = text.trim();
  const [first] = shelf.kinds;
  const inside = tree.current === null ? '' : `&in=${tree.current}`;
  return (
    <>
      <div className="tools-of-tree">
        <input
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          aria-label={shelf.words.filter}
          placeholder={shelf.words.filter}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {mayWrite && (
          <Link
            className="button square"
            href={`${shelf.address}/new?kind=${first}${inside}`}
            aria-label={shelf.words.create[first]}
            title={shelf.words.create[first]}
          >
            +
          </Link>
        )}
      </div>
      {states && (
        <Choice
          label={states.label}
          none={states.any}
          value={state}
          choose={setState}
          choices={states.choices}
        />
      )}
      {name === '' && state === '' ? (
        <Tree
          label={shelf.words.title}
          branch={(id, show) => <BranchOf shelf={shelf} id={id} show={show} />}
          {...tree}
        />
      ) : (
        <Named shelf={shelf} name={name} state={state} />
      )}
    </>
  );
}

/** The top of a shelf, and whether there is nothing on it. */
export function useTop(shelf: Shelf) {
  const list = useList(ShelfBranch, { where: whereIn(shelf, null) }, { atOnce, of });
  return { isEmpty: list.data !== undefined && list.nodes.length === 0 };
}

interface BranchOfProps {
  readonly shelf: Shelf;
  readonly id: string | null;
  readonly show: (branch: TreeBranch) => ReactNode;
}

function BranchOf({ shelf, id, show }: BranchOfProps) {
  const { nodes, rest, error } = useList(
    ShelfBranch,
    { where: whereIn(shelf, id) },
    { atOnce, of },
  );
  const sorted = nodes.map((node) => nodeOf(shelf, node)).toSorted(collectionsFirst);
  return show({ nodes: sorted, rest, error });
}

function nodeOf({ address, states }: Shelf, node: OnShelf): TreeNode {
  const { id, kind, title, childrenCount } = node;
  const isBranch = childrenCount > 0 || kind === 'collection';
  const says = node.deprecation ? deprecationWords.mark : states?.says(node);
  return { id, kind, title, href: `${address}/${id}`, isBranch, ...(says ? { says } : {}) };
}

function collectionsFirst(a: TreeNode, b: TreeNode): number {
  return Number(b.kind === 'collection') - Number(a.kind === 'collection');
}

interface NamedProps {
  readonly shelf: Shelf;
  readonly name: string;
  readonly state: string;
}

/** What has a part of a name and is in a state, with where it lies. */
function Named({ shelf, name, state }: NamedProps) {
  const { data, nodes, rest } = useList(
    ShelfBranch,
    { where: whereNamed(shelf, name, state) },
    { atOnce, of },
  );
  return (
    <>
      <p className="quiet" role="status">
        {data && nodes.length === 0 ? words.noMatch : ''}
      </p>
      <ul className="tree">
        {nodes.map((node) => (
          <li key={node.id}>
            <Link className="named" href={`${shelf.address}/${node.id}`}>
              <Icon kind={node.kind} />
              <span>
                <bdi>{node.title}</bdi>
                <small className="quiet">
                  {[placeOf(node), shelf.states?.says(node)].filter(Boolean).join(' · ')}
                </small>
              </span>
            </Link>
          </li>
        ))}
        {rest.has && (
          <li>
            <button type="button" className="tree-more" onClick={rest.load}>
              {words.more}
            </button>
          </li>
        )}
      </ul>
    </>
  );
}

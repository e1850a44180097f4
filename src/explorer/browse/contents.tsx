// Tree of what is browsed: sources, and the databases, schemas and groups in them.

import { type ReactNode, useState } from 'react';
import { useAnswer, useList } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Problem } from '../parts/problem.tsx';
import { Tree, type TreeBranch, type TreeProps } from '../tree/tree.tsx';
import { browseWords as words } from '../words/browse.ts';
import { number } from '../words.ts';
import { BrowseBranch, type BrowseBranchData, BrowseSources } from './page.graphql';
import { addressOfSource, branchesOf, branchesOfSource } from './place.ts';

const atOnce = 100;
const of = ({ resources }: BrowseBranchData) => resources;
const noRest = { has: false, isLoading: false, error: null, load: () => {} };

/** The tree, with a field that narrows its sources. */
export function BrowseTree(tree: Pick<TreeProps, 'current' | 'around'>) {
  const [text, setText] = useState('');
  const maySources = useMay('read_integrations');
  const { data, error } = useAnswer(BrowseSources, {}, { isWanted: maySources });
  if (error) return <Problem error={error} />;
  const sources = data?.integrations.nodes ?? [];
  const part = text.trim().toLowerCase();
  const shown = sources.filter(({ name }) => name.toLowerCase().includes(part));
  const isSource = (id: string) => sources.some((source) => source.id === id);
  const roots: TreeBranch = {
    nodes: shown.map(({ id, name }) => ({
      ...{ id, title: name, kind: 'sources', href: addressOfSource(id), isBranch: true },
    })),
    rest: noRest,
    error: null,
  };
  return (
    <>
      {maySources && (
        <div className="tools-of-tree">
          <input
            type="search"
            value={text}
            maxLength={200}
            autoComplete="off"
            aria-label={words.filterSources}
            placeholder={words.filterSources}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
      )}
      <Tree
        label={words.title}
        branch={(id, show) => {
          if (id === null && maySources) return show(roots);
          const isOfSource = id === null || isSource(id);
          return (
            <BranchOf where={isOfSource ? branchesOfSource(id) : branchesOf(id)} show={show} />
          );
        }}
        {...tree}
      />
    </>
  );
}

interface BranchOfProps {
  readonly where: ReturnType<typeof branchesOf>;
  readonly show: (branch: TreeBranch) => ReactNode;
}

function BranchOf({ where, show }: BranchOfProps) {
  const { nodes, rest, error } = useList(BrowseBranch, { where }, { atOnce, of });
  return show({
    nodes: nodes.map(({ id, title, kind, childrenCount }) => ({
      ...{ id, title, kind, href: `/browse/${id}` },
      isBranch: kind === 'database' && childrenCount > 0,
      says: number(childrenCount),
    })),
    rest,
    error,
  });
}

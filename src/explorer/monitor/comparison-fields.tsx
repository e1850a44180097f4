// The fields of a comparison: a second query, where it runs, and what of the two is compared.

import { Choice } from '../parts/choosing/choice.tsx';
import { ChooseSource } from '../parts/choosing/choose.tsx';
import { comparisonWords as words } from '../words/edit-monitor.ts';
import type { Config } from './metric-config.ts';

interface ComparisonProps {
  readonly config: Config;
  readonly change: (config: Config) => void;
}

const ways = ['difference', 'ratio', 'keys'] as const;

/** The fields; columns of the key only where rows are compared. */
export function ComparisonFields({ config, change }: ComparisonProps) {
  const area = (name: 'querySelect' | 'otherQuery' | 'keyColumns', label: string) => (
    <label className="choice">
      <span>{label}</span>
      <textarea
        rows={4}
        className="sql"
        spellCheck={false}
        required
        value={config[name]}
        onChange={({ currentTarget }) => change({ ...config, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      {area('querySelect', words.first)}
      {area('otherQuery', words.second)}
      <ChooseSource
        label={words.otherSource}
        none={words.sameSource}
        value={config.otherIntegration}
        choose={(otherIntegration) => change({ ...config, otherIntegration })}
      />
      <Choice
        label={words.compareBy}
        none={null}
        value={config.compareBy}
        choices={ways.map((id) => ({ id, name: words.ways[id] }))}
        choose={(compareBy) => change({ ...config, compareBy })}
      />
      {config.compareBy === 'keys' && area('keyColumns', words.keyColumns)}
    </>
  );
}

// What a test of a connection found: each right that is needed, and what mends a missing one.

import { Copy } from '../parts/copy.tsx';
import { connectionWords as words } from '../words/connection.ts';
import { words as common } from '../words.ts';
import type { TestSourceData } from './page.graphql';

const tones = { ok: 'good', limited: 'warning', missing: 'alarm' };

interface ReportProps {
  readonly report: NonNullable<TestSourceData['testConnection']>;
  /** Whether it was tried with what is not saved yet. */
  readonly isUnsaved: boolean;
}

/** The report. */
export function Report({ report, isUnsaved }: ReportProps) {
  return (
    <div role="status">
      <h3>{report.ok ? words.works : words.fails}</h3>
      <p className="quiet">
        {report.version} {isUnsaved && words.unsaved}
      </p>
      <ul className="plain">
        {report.checks.map(({ name, state, message, fix }) => (
          <li key={name}>
            <span className={`badge ${tones[state]}`}>{words.states[state]}</span> <b>{name}</b>{' '}
            {message}
            {fix && (
              <div className="fix">
                <span className="quiet">{words.fix}</span>{' '}
                <Copy label={common.resource.copy} text={fix} />
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
                <pre tabIndex={0}>{fix}</pre>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

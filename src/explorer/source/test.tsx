// Test of a connection: each right that is needed, and what mends a missing one.

import { useEffect } from 'react';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { Copy } from '../parts/copy.tsx';
import { Problem } from '../parts/problem.tsx';
import { sourceWords as words } from '../words/sources.ts';
import { words as common } from '../words.ts';
import { TestSource, type TestSourceData } from './page.graphql';

const tones = { ok: 'good', limited: 'warning', missing: 'alarm' };

/** The test; a source that was just connected is tested at once. */
export function ConnectionTest({ id }: { id: string }) {
  const view = useAddress();
  const isNew = view.one('new') !== '';
  const test = useAct<void, TestSourceData>(() => ask(TestSource, { id }), []);
  const { mutate, isIdle } = test;
  const { change } = view;
  useEffect(() => {
    if (!isNew || !isIdle) return;
    change({ new: null });
    mutate();
  }, [isNew, isIdle, change, mutate]);
  const report = test.data?.testConnection;
  return (
    <section className="sheet" aria-busy={test.isPending}>
      <h2>{words.test}</h2>
      <button type="button" disabled={test.isPending} onClick={() => mutate()}>
        {test.isPending ? words.testing : words.test}
      </button>
      {test.error && <Problem error={test.error} />}
      {report && (
        <div role="status">
          <p>
            <b>{report.ok ? words.testOk : words.testWrong}</b>{' '}
            <span className="quiet">{report.version}</span>
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
      )}
    </section>
  );
}

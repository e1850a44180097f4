// In charge of what people ask about a resource, what others answer, and asking.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-act.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/use-viewer.ts';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { questionWords as words } from '../words/questions.ts';
import { words as common } from '../words.ts';
import { Answers } from './answers.tsx';
import { AskQuestion, QuestionsOn } from './page.graphql';

const atOnce = 10;

/** The questions, the newest first, each with its answers on demand. */
export function Questions({ id }: { id: string }) {
  const [first, setFirst] = useState(atOnce);
  const { data, error, refetch } = useAnswer(QuestionsOn, { id, first }, { isKept: true });
  const mayAsk = useMay('ask_questions');
  const found = data?.resources;
  return (
    <section className="sheet">
      <h2>{words.title}</h2>
      {error && !data && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting lines={2} />}
      {found?.totalCount === 0 && <p className="quiet">{words.none}</p>}
      {found?.nodes.map(
        (question) =>
          'status' in question && (
            <details key={question.id} className="question">
              <summary>
                {question.title}{' '}
                <span className={`badge ${question.status === 'Answered' ? 'good' : 'warning'}`}>
                  {words.statuses[question.status]}
                </span>
              </summary>
              <Answers question={question} />
              <p>
                <Link href={`/resource/${question.id}`}>{words.page}</Link>
              </p>
            </details>
          ),
      )}
      {found && found.totalCount > found.nodes.length && (
        <button type="button" onClick={() => setFirst(first + atOnce)}>
          {common.search.more}
        </button>
      )}
      {mayAsk && <Asking id={id} />}
    </section>
  );
}

function Asking({ id }: { id: string }) {
  const [title, setTitle] = useState('');
  const send = useAct(() => ask(AskQuestion, { input: { title, parentId: id } }), [QuestionsOn]);
  return (
    <form
      className="asking"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(undefined, { onSuccess: () => setTitle('') });
      }}
    >
      <label className="choice">
        <span>{words.ask}</span>
        <input
          required
          maxLength={255}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={send.isPending}>
        {words.send}
      </button>
      {send.error && <Problem error={send.error} />}
    </form>
  );
}

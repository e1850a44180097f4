// Questions about a resource: asking, answers.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useKeptText } from '../asking/form.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { More } from '../parts/more.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { questionWords as words } from '../words/questions.ts';
import { AnswersTo } from './answers.tsx';
import { AskQuestion, type QuestionHead, QuestionsOn } from './page.graphql';

const atOnce = 10;

/** What a question is about. */
interface Subject {
  readonly id: string;
  readonly titleFull: string;
  readonly owners: readonly { readonly id: string; readonly name: string }[];
}

/** The questions, the newest first, each with its answers on demand. */
export function Questions({ resource }: { resource: Subject }) {
  const { id } = resource;
  const { data, nodes, rest, error, refetch } = useList(
    QuestionsOn,
    { id },
    { atOnce, of: ({ resources }) => resources },
  );
  const mayAsk = useMay('ask_questions');
  return (
    <section className="sheet">
      <h2>{words.title}</h2>
      {error && !data && <Problem error={error} again={refetch} />}
      {!data && !error && <Waiting lines={2} />}
      {data && nodes.length === 0 && <p className="quiet">{words.none}</p>}
      <div>
        {nodes.map(
          (question) => 'status' in question && <Asked key={question.id} question={question} />,
        )}
      </div>
      <More rest={rest} />
      {mayAsk && <Asking resource={resource} />}
    </section>
  );
}

/** One of them; its answers are asked for when somebody opens it. */
function Asked({ question: { id, title, status } }: { question: QuestionHead }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="question" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title}{' '}
        <span className={`badge ${status === 'Answered' ? 'good' : 'warning'}`}>
          {words.statuses[status]}
        </span>
      </summary>
      {isOpen && <AnswersTo id={id} isWhole />}
      <p>
        <Link href={`/resource/${id}`}>{words.page}</Link>
      </p>
    </details>
  );
}

/** A question on a resource links to it: by that it is found here. */
function Asking({ resource }: { resource: Subject }) {
  const { id, titleFull, owners } = resource;
  const [title, setTitle] = useKeptText(`question:${id}`);
  const [text, setText] = useKeptText(`question-text:${id}`);
  const [isBegun] = useState(title !== '' || text !== '');
  const [whom, setWhom] = useState(owners[0]?.id ?? '');
  const send = useAct(() => {
    const link = words.aboutIt(`[${titleFull}](/resource/${id})`);
    const definition = text.trim() === '' ? link : `${text.trim()}\n\n${link}`;
    return ask(AskQuestion, { input: { title, definition, assignedToId: whom || null } });
  }, [QuestionsOn]);
  const clear = () => {
    setTitle('');
    setText('');
  };
  return (
    <details className="question" open={isBegun}>
      <summary>{words.ask}</summary>
      <form
        className="asking"
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate(undefined, { onSuccess: clear });
        }}
      >
        <NameField label={words.inShort} value={title} set={setTitle} />
        <label className="choice">
          <span>{words.text}</span>
          <textarea
            rows={3}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        {owners.length > 0 && (
          <Choice
            label={words.askWhom}
            none={words.anybody}
            value={whom}
            choices={owners}
            choose={setWhom}
          />
        )}
        <button type="submit" disabled={send.isPending}>
          {words.send}
        </button>
        {send.error && <Problem error={send.error} isKept />}
      </form>
    </details>
  );
}

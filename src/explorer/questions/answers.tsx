// The answers to a question: reading them, replying, and saying which of them is the answer.

import { ask } from '../asking/ask.ts';
import { useKeptText } from '../asking/form.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { questionWords as words } from '../words/questions.ts';
import { useQuestion } from './facts.tsx';
import {
  AcceptReply,
  QuestionItself,
  type QuestionOn,
  QuestionsOn,
  SendReply,
} from './page.graphql';
import { Voices } from './voices.tsx';

const renewed = [QuestionsOn, QuestionItself];

/** The answers to the question that a page is of. */
export function AnswersOf({ id }: { id: string }) {
  return (
    <section className="sheet">
      <h2>{words.answers}</h2>
      <AnswersTo id={id} />
    </section>
  );
}

/** The answers to a question, asked for with it. */
export function AnswersTo({ id, isWhole = false }: { id: string; isWhole?: boolean }) {
  const { data, error, refetch } = useAnswer(QuestionItself, { id });
  const question = data?.resource;
  return (
    <>
      {error && !data && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting lines={2} />}
      {question && 'replies' in question && <Answers question={question} isWhole={isWhole} />}
    </>
  );
}

interface AnswersProps {
  readonly question: QuestionOn;
  /** With what was asked at length, where the page does not show it. */
  readonly isWhole?: boolean;
}

/** What was answered, and the field to reply. */
function Answers({ question, isWhole = false }: AnswersProps) {
  const {
    id,
    definition,
    answer,
    answeredBy,
    replies,
    createdBy,
    createdAt,
    currentUserPermissions,
  } = question;
  const mayReply = useMay('ask_questions');
  const mayAccept = currentUserPermissions.write;
  return (
    <>
      <p className="quiet">
        {words.asked} {createdBy?.name} <Moment at={createdAt} />
      </p>
      {isWhole && definition.trim() !== '' && <Markdown text={definition} />}
      <Voices of={question} />
      {answer && !replies.some((reply) => isThis(answer, reply)) && (
        <div className="answer">
          <p>
            <b>{words.answer}</b> <span className="quiet">{answeredBy?.name}</span>
          </p>
          <Markdown text={answer} />
          {mayAccept && <Reopen id={id} answer={answer} />}
        </div>
      )}
      {!answer && replies.length === 0 && <p className="quiet">{words.noAnswer}</p>}
      {replies.map((reply) => (
        <Reply key={reply.id} reply={reply} mayAccept={mayAccept} />
      ))}
      {mayReply && <Replying id={id} mayAccept={mayAccept} />}
    </>
  );
}

/** Takes an answer back that is in no reply: the question is open again. */
function Reopen({ id, answer }: { id: string; answer: string }) {
  const { change, error, isBusy } = useQuestion(id);
  return (
    <>
      <button
        type="button"
        disabled={isBusy}
        onClick={() => change(words.reopened, { answer: null }, { answer })}
      >
        {words.reopen}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

/** Whether an answer is what an accepted reply says: it is read once. */
function isThis(answer: string, reply: QuestionOn['replies'][number]): boolean {
  return reply.acceptedAnswer && reply.definition.trim() === answer.trim();
}

interface ReplyProps {
  readonly reply: QuestionOn['replies'][number];
  /** Who asked, and editors, say which reply answers it. */
  readonly mayAccept: boolean;
}

function Reply({ reply, mayAccept }: ReplyProps) {
  const { id, definition, acceptedAnswer, createdBy, createdAt } = reply;
  const accept = useAct(() => ask(AcceptReply, { id, accepted: !acceptedAnswer }), renewed);
  return (
    <article className="answer" aria-label={words.replyOf(createdBy?.name ?? '')}>
      <p>
        {acceptedAnswer && <span className="badge good">{words.accepted}</span>}{' '}
        <b>{createdBy?.name}</b>{' '}
        <span className="quiet">
          <Moment at={createdAt} />
        </span>
      </p>
      <Markdown text={definition} />
      <Voices of={reply} />
      {mayAccept && (
        <button type="button" disabled={accept.isPending} onClick={() => accept.mutate()}>
          {acceptedAnswer ? words.unaccept : words.accept}
        </button>
      )}
      {accept.error && <Problem error={accept.error} />}
    </article>
  );
}

function Replying({ id, mayAccept }: { id: string; mayAccept: boolean }) {
  const [text, setText] = useKeptText(`reply:${id}`);
  const send = useAct(
    (acceptedAnswer: boolean) =>
      ask(SendReply, { input: { parentId: id, definition: text, acceptedAnswer } }),
    renewed,
  );
  return (
    <form
      className="asking"
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent;
        send.mutate(submitter instanceof HTMLButtonElement && submitter.name === 'answer', {
          onSuccess: () => setText(''),
        });
      }}
    >
      <label className="choice">
        <span>{words.reply}</span>
        <textarea
          required
          rows={2}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={send.isPending}>
        {words.sendReply}
      </button>
      {mayAccept && (
        <button type="submit" name="answer" disabled={send.isPending}>
          {words.sendAnswer}
        </button>
      )}
      {send.error && <Problem error={send.error} isKept />}
    </form>
  );
}

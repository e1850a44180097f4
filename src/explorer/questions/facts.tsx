// Who is asked a question, and how urgent it is: set in place by those who may.

import { ask } from '../asking/ask.ts';
import { useReversible } from '../asking/undo.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { ChoosePerson } from '../parts/choosing/choose.tsx';
import { Problem } from '../parts/problem.tsx';
import { questionWords as words } from '../words/questions.ts';
import {
  ChangeQuestion,
  type ChangeQuestionVariables,
  QuestionItself,
  QuestionList,
  type QuestionOn,
} from './page.graphql';

type Input = ChangeQuestionVariables['input'];

/** How a question is changed, and changed back where no one else has changed it since. */
export function useQuestion(id: string) {
  const save = async (input: Input, at?: number) =>
    (await ask(ChangeQuestion, { id, input, version: at })).updateQuestion?.version;
  const { change, ...state } = useReversible(save, [QuestionItself, QuestionList]);
  return {
    ...state,
    change: (says: string, to: Input, back: Input) => change({ says, to, back, isGuarded: true }),
  };
}

const priorities = ['Highest', 'High', 'Medium', 'Low', 'Lowest'] as const;

/** The facts of the question that a page is of. */
export function QuestionFacts({ id }: { id: string }) {
  const { data } = useAnswer(QuestionItself, { id });
  const question = data?.resource;
  return question && 'replies' in question ? <Facts question={question} /> : null;
}

function Facts({ question }: { question: QuestionOn }) {
  const { id, priority, assignedTo, currentUserPermissions } = question;
  const { change, error, isBusy } = useQuestion(id);
  const mayRead = useMay('read_people');
  if (!currentUserPermissions.write) {
    return (
      <>
        <Said name={words.assignee} says={assignedTo?.name ?? words.anybody} />
        <Said name={words.priority} says={words.priorityOf(priority)} />
      </>
    );
  }
  return (
    <section className="facts">
      {mayRead && (
        <ChoosePerson
          label={words.assignee}
          none={words.anybody}
          me={words.me}
          value={assignedTo?.id ?? ''}
          isBusy={isBusy}
          choose={(person) =>
            change(
              words.assigned,
              { assignedToId: person || null },
              { assignedToId: assignedTo?.id ?? null },
            )
          }
        />
      )}
      <Choice
        label={words.priority}
        none={words.priorityOf(null)}
        value={priority ?? ''}
        isBusy={isBusy}
        choices={priorities.map((one) => ({ id: one, name: one }))}
        choose={(chosen) => {
          const next = priorities.find((one) => one === chosen) ?? null;
          change(words.prioritySet, { priority: next }, { priority });
        }}
      />
      {error && <Problem error={error} />}
    </section>
  );
}

function Said({ name, says }: { name: string; says: string }) {
  return (
    <section>
      <h2>{name}</h2>
      <div>{says}</div>
    </section>
  );
}

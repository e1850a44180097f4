// The list of questions: the open ones first asked for, by filters that the address holds.

import { Link } from 'wouter';
import { type AddressView, useAddress } from '../asking/address.ts';
import { useList } from '../asking/use-answer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { ChoosePerson } from '../parts/choosing/choose.tsx';
import { FilterBar, isFilteredBy } from '../parts/filter-bar.tsx';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { questionWords as words } from '../words/questions.ts';
import { QuestionList, type QuestionListVariables, type QuestionRow } from './page.graphql';

const atOnce = 50;
const statuses = ['Unanswered', 'Answered'] as const;
const filterNames = ['status', 'assignee'] as const;

/** The page. */
export function QuestionsPage() {
  const view = useAddress();
  const { data, nodes, rest, error, refetch, isPlaceholderData } = useList(
    QuestionList,
    { where: wantedBy(view) },
    { atOnce, of: ({ resources }) => resources },
  );
  const found = data?.resources;
  return (
    <Page title={words.title}>
      <FilterBar label={words.filters} clear={words.clear} view={view} names={filterNames}>
        <Choice
          label={words.status}
          none={words.anyStatus}
          value={view.one('status')}
          choices={statuses.map((id) => ({ id, name: words.statuses[id] }))}
          choose={(status) => view.change({ status })}
        />
        <ChoosePerson
          label={words.assignee}
          none={words.anybody}
          me={words.me}
          value={view.one('assignee')}
          choose={(assignee) => view.change({ assignee })}
        />
      </FilterBar>
      {error && <Problem error={error} again={refetch} />}
      {!found && !error && <Waiting lines={10} />}
      {found?.totalCount === 0 && <Nothing isFiltered={isFilteredBy(view, filterNames)} />}
      {found && found.totalCount > 0 && (
        <ul className="monitors" aria-busy={isPlaceholderData}>
          {nodes.map(
            (question) =>
              'status' in question && (
                <li key={question.id}>
                  <Row question={question} />
                </li>
              ),
          )}
        </ul>
      )}
      <More rest={rest} />
    </Page>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="nothing">
      <p>
        <b>{isFiltered ? words.noneHere : words.noneYet}</b>
      </p>
      {!isFiltered && <p className="quiet">{words.noneYetHow}</p>}
    </div>
  );
}

function wantedBy(view: AddressView): QuestionListVariables['where'] {
  const status = statuses.find((one) => one === view.one('status'));
  const assignee = view.one('assignee');
  return {
    kind: { eq: 'question' },
    ...(status ? { questionStatus: { eq: status } } : {}),
    ...(assignee ? { assignedToId: { eq: assignee } } : {}),
  };
}

function Row({ question }: { question: QuestionRow }) {
  const { id, title, status, createdAt, createdBy, assignedTo } = question;
  return (
    <>
      <span className={`badge ${status === 'Answered' ? 'good' : 'warning'}`}>
        {words.statuses[status]}
      </span>
      <span className="of">
        <Link href={`/resource/${id}`}>{title}</Link>
        <small>
          {words.asked} {createdBy?.name} <Moment at={createdAt} />
          {assignedTo && ` · ${words.assignedTo} ${assignedTo.name}`}
        </small>
      </span>
    </>
  );
}

// The audit log: what was done, by filters that the address holds.

import { type AddressView, useAddress } from '../asking/address.ts';
import { notify } from '../asking/undo.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { ChoosePerson } from '../parts/choosing/choose.tsx';
import { FilterBar, isFilteredBy } from '../parts/filter-bar.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { saveFile } from '../window/save-file.ts';
import { auditWords as words } from '../words/audit.ts';
import { subjectName } from '../words/names/activities.ts';
import { auditCsv, mostInCsv } from './csv.ts';
import { Entries } from './entries.tsx';
import { type AuditPageVariables, AuditPage as Operation } from './page.graphql';

const atOnce = 50;
const filterNames = ['by', 'on', 'from', 'to', 'what'] as const;

/** What entries are about, by the words in an address. */
const kinds = ['table', 'column', 'document', 'monitor', 'incident', 'integration', 'user', 'team'];

/** The page. */
export function AuditPage() {
  const viewer = useViewer();
  const may = useMay('read_the_audit_log');
  return (
    <Page title={words.title}>
      {!viewer && <Waiting lines={12} />}
      {viewer && !may && <p>{words.hidden}</p>}
      {may && <Log />}
    </Page>
  );
}

function Log() {
  const view = useAddress();
  const { data, nodes, rest, error, refetch, isPlaceholderData } = useList(
    Operation,
    { where: whereOf(view) },
    { atOnce, of: ({ auditLogs }) => auditLogs },
  );
  const found = data?.auditLogs;
  return (
    <>
      <FilterBar label={words.filters} clear={words.clear} view={view} names={filterNames}>
        <ChoosePerson
          label={words.who}
          none={words.anybody}
          me={words.me}
          value={view.one('by')}
          choose={(by) => view.change({ by })}
        />
        <Choice
          label={words.what}
          none={words.anything}
          value={view.one('what')}
          choices={kinds.map((id) => ({ id, name: subjectName(id) }))}
          choose={(what) => view.change({ what })}
        />
        <label className="choice">
          <span>{words.subject}</span>
          <input
            type="search"
            placeholder={words.subjectFind}
            defaultValue={view.one('on')}
            maxLength={200}
            onChange={({ currentTarget }) => view.change({ on: currentTarget.value.trim() })}
          />
        </label>
        {(['from', 'to'] as const).map((name) => (
          <label key={name} className="choice">
            <span>{words[name]}</span>
            <input
              type="date"
              value={view.one(name)}
              onChange={({ currentTarget }) => view.change({ [name]: currentTarget.value })}
            />
          </label>
        ))}
      </FilterBar>
      {error && <Problem error={error} again={refetch} />}
      {!found && !error && <Waiting lines={12} />}
      {found && (
        <section className="sheet" aria-busy={isPlaceholderData}>
          <div className="lead">
            <span role="status">
              {found.totalCount > 0
                ? words.count(found.totalCount)
                : isFilteredBy(view, filterNames)
                  ? words.none
                  : words.noneYet}
            </span>
            {found.totalCount > 0 && <AsCsv count={found.totalCount} where={whereOf(view)} />}
          </div>
          <Entries entries={nodes} />
          <More rest={rest} />
        </section>
      )}
    </>
  );
}

/** Takes along what the filters leave. */
function AsCsv({ count, where }: { count: number; where: Where | null }) {
  const taking = useAct(async () => {
    saveFile('audit-log.csv', await auditCsv(where));
    if (count > mostInCsv) notify({ says: words.csvCut(mostInCsv) });
  }, []);
  return (
    <>
      <button type="button" disabled={taking.isPending} onClick={() => taking.mutate()}>
        {words.csv}
      </button>
      {taking.error && <Problem error={taking.error} />}
    </>
  );
}

type Where = NonNullable<AuditPageVariables['where']>;

function whereOf(view: AddressView): Where | null {
  const [by, on, from, to, what] = filterNames.map((name) => view.one(name));
  const wanted: Where[] = [
    ...(by ? [{ performerId: { eq: by } }] : []),
    ...(on ? [{ resourceTitle: { contains: on } }] : []),
    ...(what ? [{ resourceType: { eq: what } }] : []),
    ...(isDay(from) ? [{ loggedAt: { gte: `${from}T00:00:00Z` } }] : []),
    ...(isDay(to) ? [{ loggedAt: { lte: `${to}T23:59:59Z` } }] : []),
  ];
  return wanted.length > 0 ? { and: wanted } : null;
}

const isDay = (text: string | undefined) => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

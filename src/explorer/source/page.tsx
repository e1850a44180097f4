// The page of one source: reading it, testing it, feeding it with files, and what ran.

import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { JobList, type JobListVariables, JobsChanged } from '../jobs/list.graphql';
import { feeding, Jobs } from '../jobs/list.tsx';
import { Moment } from '../parts/moment.tsx';
import { Answered, Page, useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Removing } from '../parts/sure.tsx';
import { SourceList } from '../sources/page.graphql';
import { Sections } from '../window/sections.tsx';
import { connectionWords } from '../words/connection.ts';
import { sourceWords as words } from '../words/sources.ts';
import { Addresses } from './addresses.tsx';
import { Connection } from './connection.tsx';
import { takesFiles } from './formats.ts';
import { contentsOf, Glance } from './glance.tsx';
import { DeleteSource, SourcePage as Operation, SyncSource } from './page.graphql';
import { Settings } from './settings.tsx';
import type { SourceThere } from './shown.ts';
import { SqlWriters } from './sql-writers.tsx';
import { TextsToKeep } from './texts.tsx';
import { Upload } from './upload.tsx';

/** The page. */
export function SourcePage({ id }: { id: string }) {
  const viewer = useViewer();
  const may = useMay('read_integrations');
  const answer = useAnswer(Operation, { id }, { isWanted: may });
  if (viewer && !may) {
    return (
      <Page title={words.title}>
        <p>{words.hidden}</p>
      </Page>
    );
  }
  return (
    <Answered answer={answer} of="integration" missing={words.missing} how={words.missingHow}>
      {(data) => data.integration && <Shown source={data.integration} />}
    </Answered>
  );
}

const jobsAtOnce = 8;
const tabs = ['overview', 'settings'] as const;

function Shown({ source }: { source: SourceThere }) {
  const { id, name, typeLabel, fedBy, scheduledExtractionsLastRun: last, teams } = source;
  const [contents] = contentsOf(source);
  useTitle(name);
  const asked = useAddress().one('tab');
  const tab = tabs.find((one) => one === asked) ?? 'overview';
  const mayManage = useMay('manage_integrations');
  const isLive = fedBy === 'sync';
  const where = useMemo(() => ({ and: [feeding, { integrationId: { eq: id } }] }), [id]);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="head">
        <nav aria-label={words.title}>
          <Link href="/imports">{words.title}</Link>
        </nav>
        <div className="name">
          <h1>{name}</h1>
          <span className="quiet">{typeLabel}</span>
          <div className="acts">
            {mayManage && isLive && <Sync id={id} />}
            {contents && (
              <Link className="button" href={`/browse/source-${id}`}>
                {connectionWords.browse(contents)}
              </Link>
            )}
          </div>
        </div>
        <p className="quiet line">
          {last ? (
            <>
              {words.fresh} <Moment at={last} />
            </>
          ) : (
            words.neverRead
          )}
          {' · '}
          {words.fedBy[fedBy]}
          {teams.length > 0 && ` · ${teams.map((team) => team.name).join(', ')}`}
        </p>
      </header>
      <Glance source={source} />
      <Sections
        shown={tab}
        of={tabs.map((name) => ({
          ...{ id: name, href: `/imports/${id}${name === 'overview' ? '' : `?tab=${name}`}` },
          ...{ name: words.tabs[name], count: null },
        }))}
      />
      {tab === 'overview' ? (
        <div className="stack">
          {mayManage && takesFiles(fedBy) && <Upload source={source} />}
          <Addresses id={id} mayManage={mayManage} />
          <Jobs where={where} atOnce={jobsAtOnce} renewed={[Operation.name]} />
        </div>
      ) : (
        <SettingsTab source={source} where={where} mayManage={mayManage} />
      )}
    </main>
  );
}

interface SettingsTabProps {
  readonly source: SourceThere;
  readonly where: JobListVariables['where'];
  readonly mayManage: boolean;
}

/** How it is reached, and what else is set. The facts above it follow its runs here as well. */
function SettingsTab({ source, where, mayManage }: SettingsTabProps) {
  const { id, name, version } = source;
  const isLive = source.fedBy === 'sync';
  useFollow(JobsChanged, { where }, { renewed: [Operation.name] });
  return (
    <div className="halves">
      <div>{mayManage && isLive && <Connection id={id} />}</div>
      <aside className="sheet aside" aria-label={words.settings}>
        <Settings source={source} mayManage={mayManage} isLive={isLive} />
        {mayManage && isLive && <SqlWriters source={source} />}
        {mayManage && <TextsToKeep id={id} name={name} />}
        {mayManage && (
          <Removing
            label={words.remove}
            of={name}
            means={words.removeMeans}
            typed={name}
            remove={() => ask(DeleteSource, { id, version })}
            list="/imports"
            asks={SourceList}
          />
        )}
      </aside>
    </div>
  );
}

function Sync({ id }: { id: string }) {
  const sync = useAct(() => ask(SyncSource, { id }), [JobList, Operation, SourceList]);
  return (
    <>
      <button
        type="button"
        className="main"
        disabled={sync.isPending}
        onClick={() => sync.mutate()}
      >
        {words.sync}
      </button>
      {sync.isSuccess && (
        <span className="quiet" role="status">
          {words.syncing}
        </span>
      )}
      {sync.error && <Problem error={sync.error} />}
    </>
  );
}

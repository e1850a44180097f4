// The page of one source: reading it, testing it, feeding it with files, and what ran.

import { useMemo } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { JobList } from '../jobs/list.graphql';
import { feeding, Jobs } from '../jobs/list.tsx';
import { Moment } from '../parts/moment.tsx';
import { Answered, Page, useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Removing } from '../parts/sure.tsx';
import { SourceList } from '../sources/page.graphql';
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

function Shown({ source }: { source: SourceThere }) {
  const { id, name, typeLabel, fedBy, scheduledExtractionsLastRun: last, teams } = source;
  const [contents] = contentsOf(source);
  useTitle(name);
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
      <p className="acts">
        {mayManage && isLive && <Sync id={id} />}
        {contents && (
          <Link className="button" href={`/search?sources=${id}`}>
            {connectionWords.browse(contents)}
          </Link>
        )}
      </p>
      <Glance source={source} />
      <div className="halves">
        <div>
          {mayManage && isLive && <Connection id={id} />}
          {mayManage && takesFiles(fedBy) && <Upload source={source} />}
          <Addresses id={id} mayManage={mayManage} />
          <Jobs where={where} atOnce={jobsAtOnce} renewed={[Operation.name]} />
        </div>
        <aside className="sheet aside" aria-label={words.settings}>
          <Settings source={source} mayManage={mayManage} isLive={isLive} />
          {mayManage && isLive && <SqlWriters source={source} />}
          {mayManage && <TextsToKeep id={id} name={name} />}
          {mayManage && (
            <Removing
              label={words.remove}
              of={source.name}
              means={words.removeMeans}
              typed={source.name}
              remove={() => ask(DeleteSource, { id, version: source.version })}
              list="/imports"
              asks={SourceList}
            />
          )}
        </aside>
      </div>
    </main>
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

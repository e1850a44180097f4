// The side column of a resource: people, tags, teams, properties, usage.

import { Link } from 'wouter';
import { useMay } from '../asking/viewer.ts';
import { Moment } from '../parts/moment.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { later } from '../window/later.tsx';
import { jobWords } from '../words/jobs/jobs.ts';
import { runWords } from '../words/jobs/runs.ts';
import { number, words } from '../words.ts';
import { Describers } from './describers/describers.tsx';
import { Fact } from './fact.tsx';
import { Owners, Tags, Teams } from './links.tsx';
import { Properties } from './properties/properties.tsx';
import type { ResourceShown } from './shown.ts';
import { Usage } from './usage.tsx';

const QuestionFacts = later(async () => (await import('../questions/facts.tsx')).QuestionFacts, 4);

/** All of it, each under a name of its own. */
export function Aside({ resource }: { resource: ResourceShown }) {
  const { usageDays, updatedAt, url, owners, ownerGroups, unknownOwners, teams } = resource;
  // Who may not know of all people and teams is not told that there are none.
  const [knowsPeople, knowsTeams] = [useMay('read_people'), useMay('edit_resources')];
  return (
    <aside className="aside" aria-label={words.resource.about}>
      {'isPk' in resource && resource.type && (
        <Fact name={words.resource.columnType}>
          <code>{resource.type.toLowerCase()}</code>{' '}
          {resource.isPk && <span className="badge">{words.resource.keyColumn}</span>}{' '}
          {resource.isNullable === false && <span className="badge">{words.resource.notNull}</span>}
        </Fact>
      )}
      {'isPk' in resource && resource.defaultValue && (
        <Fact name={words.resource.byDefault}>
          <code>{resource.defaultValue}</code>
        </Fact>
      )}
      {'isPk' in resource && resource.generatedAs && (
        <Fact name={words.resource.generatedAs}>
          <code>{resource.generatedAs}</code>
        </Fact>
      )}
      {resource.kind === 'question' && <QuestionFacts id={resource.id} />}
      {(knowsPeople || owners.length + ownerGroups.length + unknownOwners.length > 0) && (
        <Fact name={words.resource.owners}>
          <Owners resource={resource} />
        </Fact>
      )}
      <Fact name={words.resource.tags}>
        <Tags resource={resource} />
      </Fact>
      {(knowsTeams || teams.length > 0) && (
        <Fact name={words.resource.teams}>
          <Teams resource={resource} />
        </Fact>
      )}
      <Properties resource={resource} />
      {'rowCount' in resource && resource.rowCount !== null && (
        <Fact name={words.resource.rows}>{number(resource.rowCount)}</Fact>
      )}
      {'lastRun' in resource && resource.lastRun && (
        <Fact name={words.resource.lastRun}>
          <LastRun run={resource.lastRun} />
        </Fact>
      )}
      {'lastWrite' in resource && resource.lastWrite?.job && (
        <Fact name={runWords.lastWrite}>
          <Link href={`/resource/${resource.lastWrite.job.id}`}>
            {resource.lastWrite.job.title}
          </Link>{' '}
          <Moment at={resource.lastWrite.run.endedAt ?? resource.lastWrite.run.startedAt} />
        </Fact>
      )}
      <Fact name={words.resource.usage}>
        <Usage days={usageDays} total={resource.totalUsage} />
        {'scans' in resource && resource.scans !== null && (
          <span className="quiet"> · {words.resource.scans(resource.scans)}</span>
        )}
      </Fact>
      {url && (
        <Fact name={words.resource.source}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {hostOf(url)}
          </a>
        </Fact>
      )}
      <Describers resource={resource} />
      {resource.sourceFile?.path && (
        <Fact name={words.resource.file}>
          <File path={resource.sourceFile.path} url={resource.sourceFile.url} />
        </Fact>
      )}
      <Fact name={words.resource.changed}>
        <Moment at={updatedAt} />
      </Fact>
    </aside>
  );
}

/** The file of the project that it is made by, where people read it. */
function File({ path, url }: { path: string; url: string | null }) {
  if (!url) return <code>{path}</code>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {path}
    </a>
  );
}

/** How the model of a table last ran, when, and how long. */
function LastRun({ run: { status, completedAt, executionSeconds, message } }: { run: Run }) {
  return (
    <>
      <Outcome of={status} says={message} /> <Moment at={completedAt} />
      {executionSeconds !== null && `, ${jobWords.took(Math.round(executionSeconds))}`}
    </>
  );
}

type Run = NonNullable<Extract<ResourceShown, { lastRun: unknown }>['lastRun']>;

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

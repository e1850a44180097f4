// Health of the catalog: what is out of order, coverage, and how fresh its sources are.

import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { isLate } from '../sources/late.ts';
import { homeWords as words } from '../words/home.ts';
import { sourceWords } from '../words/sources.ts';
import { HomeHealth, type HomeHealthData } from './page.graphql';

/** Sources that are shown at most: the one that was not read for the longest time first. */
const mostSources = 6;

/** All of it, as far as the viewer may know. */
export function Health() {
  const viewer = useViewer();
  const mayReadSources = viewer?.allowedActions.includes('read_integrations') ?? false;
  const { data, error, refetch } = useAnswer(
    HomeHealth,
    { mayReadSources },
    { isWanted: viewer !== undefined },
  );
  return (
    <section className="health">
      <h2>{words.health}</h2>
      {error && !data && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting lines={10} />}
      {data && (
        <>
          <p>
            {data.monitors.totalCount + data.incidents.totalCount === 0 ? (
              <span className="quiet">{words.notWatched}</span>
            ) : (
              <Link href="/incidents">{words.open(data.incidents.totalCount)}</Link>
            )}
          </p>
          {data.stale.totalCount > 0 && (
            <p>
              <Link href="/browse?health=stale">{words.stale(data.stale.totalCount)}</Link>
            </p>
          )}
          <Covered coverage={data.coverage} />
          {data.integrations && <Sources nodes={data.integrations.nodes} />}
        </>
      )}
    </section>
  );
}

const shares = ['owned', 'described', 'documented', 'verified'] as const;

/** Where those are listed that lack it. */
const missing: Readonly<Partial<Record<(typeof shares)[number], string>>> = {
  owned: '/browse?owner=none',
  described: '/browse?health=undescribed',
  verified: '/browse?health=unverified',
};

function Covered({ coverage }: { coverage: HomeHealthData['coverage'] }) {
  const knowsPeople = useMay('read_people');
  const { total } = coverage;
  if (total === 0) return null;
  return (
    <>
      <h3>{words.covered(total)}</h3>
      {/* Who may not know of people would see that no one owns anything. */}
      {shares.slice(knowsPeople ? 0 : 1).map((share) => (
        <div key={share} className="share">
          <label>
            <span>{words[share]}</span>
            <progress max={total} value={coverage[share]} />
          </label>
          <b>{words.share(coverage[share], total)}</b>
          <Without count={total - coverage[share]} href={missing[share]} />
        </div>
      ))}
    </>
  );
}

function Without({ count, href }: { count: number; href: string | undefined }) {
  const says = words.without(count);
  if (count === 0 || href === undefined) return <span className="quiet">{says}</span>;
  return <Link href={href}>{says}</Link>;
}

type Source = NonNullable<HomeHealthData['integrations']>['nodes'][number];

function Sources({ nodes }: { nodes: readonly Source[] }) {
  const readAt = ({ scheduledExtractionsLastRun: last }: Source) =>
    last === null ? 0 : Date.parse(last);
  const oldest = nodes.toSorted((a, b) => readAt(a) - readAt(b));
  return (
    <>
      <h3>{words.sources}</h3>
      {nodes.length === 0 && <p className="quiet">{words.noSources}</p>}
      <ul className="plain">
        {oldest.slice(0, mostSources).map((source) => (
          <li key={source.id}>
            <Link href={`/imports/${source.id}`}>{source.name}</Link>{' '}
            {source.scheduledExtractionsLastRun ? (
              <span className="quiet">
                <Moment at={source.scheduledExtractionsLastRun} />
              </span>
            ) : (
              <span className="badge">{sourceWords.neverRead}</span>
            )}{' '}
            {isLate(source) && <span className="badge warning">{sourceWords.late}</span>}
          </li>
        ))}
      </ul>
      {nodes.length > mostSources && (
        <Link href="/imports">{words.more(nodes.length - mostSources)}</Link>
      )}
    </>
  );
}

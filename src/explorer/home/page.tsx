// The home page: what needs the viewer, where to go on, and the health of the catalog.

import { useAnswer } from '../asking/use-answer.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { homeWords as words } from '../words/home.ts';
import { AnnouncementsForAll, AnnounceToEveryone } from './announcing.tsx';
import { Beginning } from './beginning.tsx';
import { Health } from './health.tsx';
import { Lists } from './lists.tsx';
import { Mine } from './mine.tsx';
import { Home } from './page.graphql';

/** The first page. */
export function HomePage() {
  const { data, error, refetch } = useAnswer(Home, {});
  const isEmpty = data && data.used.nodes.length + data.newest.nodes.length === 0;
  return (
    <Page title={words.title} acts={<AnnounceToEveryone />}>
      <AnnouncementsForAll />
      <div className="home">
        <div>
          <Mine />
          {error && <Problem error={error} again={() => void refetch()} />}
          {isEmpty ? <Beginning /> : <Lists data={data} />}
        </div>
        {!isEmpty && <Health />}
      </div>
    </Page>
  );
}

// In charge of which page is at which address. Each is loaded when it is first opened.

import { lazy, Suspense } from 'react';
import { Link, Route, Switch } from 'wouter';
import { Page } from './parts/page.tsx';
import { Waiting } from './parts/waiting.tsx';
import { words } from './words.ts';

const HomePage = lazy(async () => ({ default: (await import('./home/page.tsx')).HomePage }));
const SearchPage = lazy(async () => ({ default: (await import('./search/page.tsx')).SearchPage }));
const ResourcePage = lazy(async () => ({
  default: (await import('./resource/page.tsx')).ResourcePage,
}));
const LineagePage = lazy(async () => ({
  default: (await import('./lineage/page.tsx')).LineagePage,
}));
const MonitorsPage = lazy(async () => ({
  default: (await import('./monitors/page.tsx')).MonitorsPage,
}));
const NewMonitorPage = lazy(async () => ({
  default: (await import('./monitor/new.tsx')).NewMonitorPage,
}));
const MonitorPage = lazy(async () => ({
  default: (await import('./monitor/page.tsx')).MonitorPage,
}));
const IncidentsPage = lazy(async () => ({
  default: (await import('./incidents/page.tsx')).IncidentsPage,
}));
const IncidentPage = lazy(async () => ({
  default: (await import('./incident/page.tsx')).IncidentPage,
}));
const QuestionsPage = lazy(async () => ({
  default: (await import('./questions/page.tsx')).QuestionsPage,
}));
const SourcesPage = lazy(async () => ({
  default: (await import('./sources/page.tsx')).SourcesPage,
}));
const NewSourcePage = lazy(async () => ({
  default: (await import('./source/new.tsx')).NewSourcePage,
}));
const SourcePage = lazy(async () => ({ default: (await import('./source/page.tsx')).SourcePage }));
const ImpactPage = lazy(async () => ({ default: (await import('./impact/page.tsx')).ImpactPage }));
const AuditPage = lazy(async () => ({ default: (await import('./audit/page.tsx')).AuditPage }));
const SessionsPage = lazy(async () => ({
  default: (await import('./sessions/page.tsx')).SessionsPage,
}));
const AdminPage = lazy(async () => ({ default: (await import('./admin/page.tsx')).AdminPage }));

/** The page of the address. */
export function Routes() {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/" component={HomePage} />
        <Route path="/search" component={SearchPage} />
        <Route path="/resource/:id">{({ id }) => <ResourcePage key={id} id={id} />}</Route>
        <Route path="/lineage/:id">{({ id }) => <LineagePage key={id} id={id} />}</Route>
        <Route path="/monitors" component={MonitorsPage} />
        <Route path="/monitors/new" component={NewMonitorPage} />
        <Route path="/monitors/:id">{({ id }) => <MonitorPage key={id} id={id} />}</Route>
        <Route path="/incidents" component={IncidentsPage} />
        <Route path="/incidents/:id">{({ id }) => <IncidentPage key={id} id={id} />}</Route>
        <Route path="/questions" component={QuestionsPage} />
        <Route path="/imports" component={SourcesPage} />
        <Route path="/imports/new" component={NewSourcePage} />
        <Route path="/imports/:id">{({ id }) => <SourcePage key={id} id={id} />}</Route>
        <Route path="/audit" component={AuditPage} />
        <Route path="/admin" component={AdminPage} />
        <Route path="/sessions" component={SessionsPage} />
        <Route path="/impact" component={ImpactPage} />
        <Route>
          <Page title={words.missing.title}>
            <p>
              {words.missing.how} <Link href="/">{words.home}</Link>.
            </p>
          </Page>
        </Route>
      </Switch>
    </Suspense>
  );
}

function Loading() {
  return (
    <main className="page">
      <Waiting lines={6} />
    </main>
  );
}

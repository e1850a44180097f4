// Routes: which page is at which address. Each is loaded when it is first opened.

import { Suspense } from 'react';
import { Link, Route, Switch } from 'wouter';
import { laterPage } from './asking/version.ts';
import { Page } from './parts/page.tsx';
import { Waiting } from './parts/waiting.tsx';
import { words } from './words.ts';

const HomePage = laterPage(async () => (await import('./home/page.tsx')).HomePage);
const SearchPage = laterPage(async () => (await import('./search/page.tsx')).SearchPage);
const ResourcePage = laterPage(async () => (await import('./resource/page.tsx')).ResourcePage);
const LineagePage = laterPage(async () => (await import('./lineage/page.tsx')).LineagePage);
const MonitorsPage = laterPage(async () => (await import('./monitors/page.tsx')).MonitorsPage);
const NewMonitorPage = laterPage(async () => (await import('./monitor/new.tsx')).NewMonitorPage);
const MonitorPage = laterPage(async () => (await import('./monitor/page.tsx')).MonitorPage);
const IncidentsPage = laterPage(async () => (await import('./incidents/page.tsx')).IncidentsPage);
const IncidentPage = laterPage(async () => (await import('./incident/page.tsx')).IncidentPage);
const BrowsePage = laterPage(async () => (await import('./browse/page.tsx')).BrowsePage);
const DocumentsPage = laterPage(async () => (await import('./documents/page.tsx')).DocumentsPage);
const GlossaryPage = laterPage(async () => (await import('./glossary/page.tsx')).GlossaryPage);
const QuestionsPage = laterPage(async () => (await import('./questions/page.tsx')).QuestionsPage);
const SourcesPage = laterPage(async () => (await import('./sources/page.tsx')).SourcesPage);
const NewSourcePage = laterPage(async () => (await import('./source/new.tsx')).NewSourcePage);
const SourcePage = laterPage(async () => (await import('./source/page.tsx')).SourcePage);
const ImpactPage = laterPage(async () => (await import('./impact/page.tsx')).ImpactPage);
const AuditPage = laterPage(async () => (await import('./audit/page.tsx')).AuditPage);
const SessionsPage = laterPage(async () => (await import('./sessions/page.tsx')).SessionsPage);
const CommandLinePage = laterPage(
  async () => (await import('./command-line/page.tsx')).CommandLinePage,
);
const AdminPage = laterPage(async () => (await import('./admin/page.tsx')).AdminPage);

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
        <Route path="/browse/:id?">{({ id }) => <BrowsePage id={id} />}</Route>
        <Route path="/documents/:id?">{({ id }) => <DocumentsPage id={id} />}</Route>
        <Route path="/glossary/:id?">{({ id }) => <GlossaryPage id={id} />}</Route>
        <Route path="/questions" component={QuestionsPage} />
        <Route path="/imports" component={SourcesPage} />
        <Route path="/imports/new" component={NewSourcePage} />
        <Route path="/imports/:id">{({ id }) => <SourcePage key={id} id={id} />}</Route>
        <Route path="/audit" component={AuditPage} />
        <Route path="/admin" component={AdminPage} />
        <Route path="/sessions" component={SessionsPage} />
        <Route path="/impact" component={ImpactPage} />
        <Route path="/command-line" component={CommandLinePage} />
        <Route>
          <Page title={words.missing.title}>
            <p>
              {words.missing.how} <Link href="/">{words.missing.home}</Link>.
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

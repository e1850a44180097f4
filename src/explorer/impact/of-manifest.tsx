// Impact of a project's change: its manifest compared with the catalog.

import { type DragEvent, useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { Copy } from '../parts/copy.tsx';
import { Problem } from '../parts/problem.tsx';
import { impactWords as words } from '../words/impact.ts';
import { Changes } from './changes.tsx';
import { ForReview } from './for-review.tsx';
import { CompareManifest, type CompareManifestData, ProjectsToCompare } from './page.graphql';
import { ReachList } from './reach.tsx';

/** What a request may hold, less what else is in it. */
const mostBytes = 950_000;

/** The place for the file, and below it how it differs. */
export function OfManifest() {
  const mayManage = useMay('manage_integrations');
  const [project, setProject] = useState('');
  const [tooLarge, setTooLarge] = useState<number | null>(null);
  const { data } = useAnswer(ProjectsToCompare, {});
  const projects = data?.integrations.nodes ?? [];
  const compare = useAct<string, CompareManifestData>(
    (manifest) => ask(CompareManifest, { manifest, integrationId: project || null }),
    [],
  );
  const take = async (file: File | undefined) => {
    if (!file) return;
    const text = await file.text();
    const size = new Blob([JSON.stringify(text)]).size;
    setTooLarge(size > mostBytes ? size : null);
    compare.reset();
    if (size <= mostBytes) compare.mutate(text);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    <>
      <p className="quiet">{words.manifestHow}</p>
      {data && projects.length === 0 && (
        <p className="warned">
          {words.noProject} {mayManage && <Link href="/imports/new">{words.connect}</Link>}
        </p>
      )}
      <section
        className="sheet form wide"
        aria-label={words.manifest}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        {projects.length > 1 && (
          <Choice
            label={words.project}
            none={words.anyProject}
            value={project}
            choices={projects}
            choose={setProject}
          />
        )}
        <label className="choice drop">
          <span>
            {words.manifest}: {words.drop}
          </span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
          />
        </label>
        {compare.isPending && <p role="status">{words.looking}</p>}
      </section>
      {tooLarge !== null && (
        <TooLarge project={project || projects[0]?.id || 'ID'} size={tooLarge} />
      )}
      {compare.error && <Problem error={compare.error} />}
      {compare.data && <Compared of={compare.data.impactOfManifest} />}
    </>
  );
}

function TooLarge({ project, size }: { project: string; size: number }) {
  const command = [
    `curl -H "Authorization: Bearer $KEY"`,
    `-F manifest=@target/manifest.json -F integration_id=${project}`,
    `'${location.origin}/api/v1/lineage/impact'`,
  ].join(' \\\n  ');
  return (
    <div className="warned" role="status">
      <p>{words.tooLarge(Math.round(size / 100_000) / 10)}</p>
      <pre>{command}</pre>
      <Copy label={words.copy} text={command} />
    </div>
  );
}

function Compared({ of }: { of: CompareManifestData['impactOfManifest'] }) {
  const { added, changed, removed, unchanged, unknown, impact, markdown } = of;
  const isSame = added.length + changed.length + removed.length === 0;
  return (
    <div className="stack found" role="status">
      <section className="sheet">
        <h2>{isSame ? words.same : words.what}</h2>
        <Changes title={words.removed} changes={removed} />
        <Changes title={words.changed} changes={changed} />
        <Changes title={words.addedModels} changes={added} />
        <p className="quiet">{words.unchanged(unchanged)}</p>
        {unknown.map((sentence) => (
          <p key={sentence} className="wrong">
            {sentence}
          </p>
        ))}
      </section>
      {!isSame && (
        <section className="sheet">
          <h2>{words.reaches}</h2>
          {impact ? (
            <ReachList reach={impact} people={of.owners} />
          ) : (
            <p className="quiet">{words.nothing}</p>
          )}
          {of.monitors.length > 0 && <h3>{words.monitors}</h3>}
          <ul className="plain">
            {of.monitors.map(({ id, name }) => (
              <li key={id}>
                <Link href={`/monitors/${id}`}>{name}</Link>
              </li>
            ))}
          </ul>
          {of.openIncidents.length > 0 && <h3>{words.incidents}</h3>}
          <ul className="plain">
            {of.openIncidents.map(({ id, summary }) => (
              <li key={id}>
                <Link href={`/incidents/${id}`}>{summary}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ForReview markdown={markdown} />
    </div>
  );
}

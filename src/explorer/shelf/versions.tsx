// Versions of a text: each compared with the current one, and restored.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import type { Notice } from '../asking/undo.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { diffOf } from '../parts/diff.ts';
import { Difference } from '../parts/difference.tsx';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { VersionsOfResource, type VersionsOfResourceData } from '../resource/history.graphql';
import { shelfWords as words } from '../words/shelf.ts';
import { RestoreVersion } from './shelf.graphql';
import type { ShelfShown } from './shelf.ts';

const of = ({ resource }: VersionsOfResourceData) => resource?.versions;
const atOnce = 50;

interface VersionsProps {
  readonly text: ShelfShown;
  readonly mayWrite: boolean;
  readonly say: (notice: Notice) => void;
  readonly renew: () => Promise<unknown>;
}

/** The list of versions, and the one that is chosen. */
export function Versions({ text, mayWrite, say, renew }: VersionsProps) {
  const { data, nodes, rest, error, refetch } = useList(
    VersionsOfResource,
    { id: text.id },
    { atOnce, of },
  );
  const [chosen, setChosen] = useState<string | null>(null);
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={6} />;
  if (nodes.length === 0) {
    return (
      <p className="quiet">
        {words.noVersions}. {words.noVersionsHow}
      </p>
    );
  }
  // The newest is the text as it is: the one before it is what one wants to see first.
  const version = nodes.find(({ id }) => id === chosen) ?? nodes[1] ?? nodes[0];
  return (
    <div className="versions">
      {version && (
        <Compared
          key={version.id}
          version={version}
          text={text}
          mayWrite={mayWrite}
          say={say}
          renew={renew}
        />
      )}
      <nav aria-label={words.versions}>
        <ol reversed>
          {nodes.map((one, at) => (
            <li key={one.id}>
              <button
                type="button"
                aria-current={one.id === version?.id ? 'true' : undefined}
                onClick={() => setChosen(one.id)}
              >
                <b>{words.version(one.version)}</b>
                {one.version === text.definitionVersion && (
                  <span className="badge good">{words.current}</span>
                )}
                <small className="quiet">
                  {one.author?.name} <Moment at={one.createdAt} />
                </small>
                <small>{changeOf(one.definition, nodes[at + 1]?.definition, rest.has)}</small>
              </button>
            </li>
          ))}
        </ol>
        <More rest={rest} />
      </nav>
    </div>
  );
}

/** How much a version changed. */
function changeOf(now: string, before: string | undefined, hasMore: boolean): string {
  if (before === undefined) return hasMore ? '' : words.created;
  const lines = diffOf(before, now).filter((line) => line.of === 'after').length;
  const gone = diffOf(before, now).filter((line) => line.of === 'before').length;
  return words.lines(Math.max(lines, gone));
}

interface ComparedProps extends VersionsProps {
  readonly version: NonNullable<
    NonNullable<VersionsOfResourceData['resource']>['versions']['nodes'][number]
  >;
}

function Compared({ version: { version, definition }, text, mayWrite, say, renew }: ComparedProps) {
  const [isWhole, setWhole] = useState(false);
  const isCurrent = version === text.definitionVersion;
  const restoring = useAct(async () => {
    const { id, version: at } = text;
    const { updateResource } = await ask(RestoreVersion, { id, version: at, definition });
    say({ says: words.restoredVersion(version, updateResource.definitionVersion) });
    await renew();
  }, [VersionsOfResource]);
  return (
    <section>
      <header>
        <h2>{isCurrent ? words.version(version) : words.compared(version)}</h2>
        {!isCurrent && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend in sight
          <div className="seg" role="group" aria-label={words.version(version)}>
            <button type="button" aria-pressed={!isWhole} onClick={() => setWhole(false)}>
              {words.changes}
            </button>
            <button type="button" aria-pressed={isWhole} onClick={() => setWhole(true)}>
              {words.fullText}
            </button>
          </div>
        )}
        {mayWrite && !isCurrent && (
          <button
            type="button"
            className="main"
            disabled={restoring.isPending}
            onClick={() => restoring.mutate()}
          >
            {words.restoreVersion(version)}
          </button>
        )}
      </header>
      {restoring.error && <Problem error={restoring.error} />}
      {isWhole || isCurrent ? (
        <Markdown text={definition} />
      ) : (
        <Difference before={definition} after={text.definition} />
      )}
      {mayWrite && !isCurrent && (
        <p className="quiet">{words.restoreHow(version, text.definitionVersion + 1)}</p>
      )}
    </section>
  );
}

// Bar of what can be done with the rows that are selected: at once, and taken back for ten seconds.

import { type KeyboardEvent, useRef } from 'react';
import { GroupsToChoose, TagsToChoose, TeamsToChoose } from '../asking/choices.graphql';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { usePeople } from '../parts/choosing/choose.tsx';
import { Hue } from '../parts/choosing/hue.tsx';
import { saveFile } from '../window/save-file.ts';
import { browseWords as words } from '../words/browse.ts';
import { PickProperty } from './bulk-property.tsx';
import { rowsAsCsv } from './csv.ts';
import { archiveAll, type Edited, editAll, monitorAll } from './edits.ts';
import { OneOf, type PickProps } from './one-of.tsx';
import { BrowseList } from './page.graphql';
import type { BrowsedRow } from './place.ts';

interface BulkProps {
  readonly rows: readonly BrowsedRow[];
  readonly clear: () => void;
  /** What became of it: what failed stays selected. */
  readonly done: (says: string, edited: Edited) => void;
  readonly failed: (error: unknown) => void;
}

/** The bar. */
export function Bulk({ rows, clear, done, failed }: BulkProps) {
  const bar = useRef<HTMLDivElement>(null);
  const acting = useAct(
    async ({ says, act }: { says: string; act: () => Promise<Edited> }) => done(says, await act()),
    [BrowseList],
  );
  const run = (says: string, act: () => Promise<Edited>) =>
    acting.mutate({ says, act }, { onError: failed });
  const [mayEdit, mayMonitor] = [useMay('edit_resources'), useMay('edit_monitors')];
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') clear();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = buttons.findIndex((one) => one.matches(':focus'));
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  const isVerified = rows.every(({ verified }) => verified);
  const tables = rows.filter(({ kind }) => kind === 'table');
  return (
    <div className="bulk">
      <span role="status">{words.selected(rows.length)}</span>
      <div
        ref={bar}
        className="bulk-tools"
        role="toolbar"
        aria-label={words.bulk}
        aria-busy={acting.isPending}
        tabIndex={-1}
        onKeyDown={press}
      >
        {mayEdit && <PickOwner rows={rows} run={run} />}
        {mayEdit && <PickTag rows={rows} run={run} />}
        {mayEdit && <PickTeam rows={rows} run={run} />}
        {mayEdit && <PickProperty rows={rows} run={run} />}
        {mayEdit && (
          <button
            type="button"
            onClick={() =>
              run(isVerified ? words.unverified : words.verified, () =>
                editAll(
                  rows,
                  { verified: !isVerified },
                  {
                    input: { verified: isVerified },
                    of: ({ verified }) => verified === isVerified,
                  },
                ),
              )
            }
          >
            {isVerified ? words.unverify : words.verify}
          </button>
        )}
        {mayMonitor && tables.length > 0 && (
          <button type="button" onClick={() => run(words.monitored, () => monitorAll(tables))}>
            {words.monitor}
          </button>
        )}
        <CsvButton rows={rows} failed={failed} />
        {mayEdit && (
          <button
            type="button"
            className="alarm"
            onClick={() => run(words.archived, () => archiveAll(rows))}
          >
            {words.archive}
          </button>
        )}
        <button type="button" aria-label={words.clear} onClick={clear}>
          ×
        </button>
      </div>
    </div>
  );
}

function PickOwner({ rows, run }: PickProps) {
  const { people, ...found } = usePeople(true);
  const { data } = useAnswer(GroupsToChoose, {});
  const groups = (data?.groups.nodes ?? []).map(({ id, name }) => ({
    ...{ id, name, says: words.group, mark: <Avatar name={name} isGroup /> },
  }));
  const isGroup = (id: string) => groups.some((group) => group.id === id);
  return (
    <OneOf
      label={words.owner}
      choices={[...people, ...groups]}
      found={found}
      pick={({ id, name }) =>
        run(words.ownerAdded(name), () =>
          isGroup(id)
            ? editAll(
                rows,
                { addOwnerGroupIds: [id] },
                { input: { removeOwnerGroupIds: [id] }, of: (row) => lacks(row.ownerGroups, id) },
              )
            : editAll(
                rows,
                { addOwnerIds: [id] },
                { input: { removeOwnerIds: [id] }, of: (row) => lacks(row.owners, id) },
              ),
        )
      }
    />
  );
}

function lacks(list: readonly { readonly id: string }[], id: string): boolean {
  return !list.some((one) => one.id === id);
}

function PickTag({ rows, run }: PickProps) {
  const { data } = useAnswer(TagsToChoose, {});
  return (
    <OneOf
      label={words.tags}
      choices={(data?.tags.nodes ?? []).map((tag) => ({ ...tag, mark: <Hue of={tag.color} /> }))}
      pick={({ id, name }) =>
        run(words.tagAdded(name), () =>
          editAll(
            rows,
            { addTagIds: [id] },
            { input: { removeTagIds: [id] }, of: (row) => lacks(row.tags, id) },
          ),
        )
      }
    />
  );
}

function PickTeam({ rows, run }: PickProps) {
  const { data } = useAnswer(TeamsToChoose, {});
  return (
    <OneOf
      label={words.team}
      choices={data?.teams.nodes ?? []}
      pick={({ id, name }) =>
        run(words.teamAdded(name), () =>
          editAll(
            rows,
            { addTeamIds: [id] },
            { input: { removeTeamIds: [id] }, of: (row) => lacks(row.teams, id) },
          ),
        )
      }
    />
  );
}

/** Downloads the rows, in a form that can be edited and taken back. */
function CsvButton({ rows, failed }: { rows: readonly BrowsedRow[]; failed: BulkProps['failed'] }) {
  const downloading = useAct(
    async () => saveFile('resources.csv', await rowsAsCsv(rows.map(({ id }) => id))),
    [],
  );
  return (
    <button type="button" onClick={() => downloading.mutate(undefined, { onError: failed })}>
      {words.csv}
    </button>
  );
}

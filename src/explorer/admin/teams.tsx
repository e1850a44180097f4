// Teams: who works together on which part of the catalog, and who may see it.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { Choice } from '../parts/choose.tsx';
import { adminWords as words } from '../words/admin.ts';
import { atOnce, List } from './list.tsx';
import { MembershipRow } from './membership.tsx';
import { NamedMaking } from './named.tsx';
import {
  AddToTeam,
  type AdminTeam,
  AdminTeams,
  ChangeTeam,
  DeleteTeam,
  MakeTeam,
  TakeFromTeam,
} from './teams.graphql';

const types = ['OPEN', 'CLOSED'] as const;

/** All teams. */
export function Teams() {
  const [type, setType] = useState<(typeof types)[number]>('OPEN');
  const list = useList(AdminTeams, {}, { atOnce, of: (data) => data.teams });
  const make = useAct(
    (input: { name: string; description: string }) => ask(MakeTeam, { input: { ...input, type } }),
    [AdminTeams],
  );
  return (
    <>
      <p className="quiet">{words.teamsAre}</p>
      <List of={list}>{(team) => <Row team={team} />}</List>
      <NamedMaking
        title={words.makeTeam}
        error={make.error}
        isPending={make.isPending}
        make={(input, done) => make.mutate(input, { onSuccess: done })}
      >
        <Choice
          label={words.teamType}
          none={null}
          value={type}
          choices={types.map((id) => ({ id, name: words.teamTypes[id] }))}
          choose={(id) => setType(id === 'CLOSED' ? 'CLOSED' : 'OPEN')}
        />
      </NamedMaking>
    </>
  );
}

function Row({ team }: { team: AdminTeam }) {
  const { id, version, type, isDefaultTeam, resources } = team;
  const act = useAct((change: () => Promise<unknown>) => change(), [AdminTeams]);
  return (
    <MembershipRow
      of={team}
      says={words.holds(resources.totalCount)}
      deleteMeans={words.deleteTeamMeans}
      acts={{
        isPending: act.isPending,
        error: act.error,
        rename: (input, done) =>
          act.mutate(() => ask(ChangeTeam, { id, version, input }), { onSuccess: done }),
        add: (userId) => act.mutate(() => ask(AddToTeam, { id, userIds: [userId] })),
        takeAway: (userId) => act.mutate(() => ask(TakeFromTeam, { id, userIds: [userId] })),
        remove: isDefaultTeam ? null : () => act.mutate(() => ask(DeleteTeam, { id, version })),
      }}
    >
      {isDefaultTeam && <span className="badge">{words.defaultTeam}</span>}{' '}
      {type === 'CLOSED' && <span className="badge">{words.closedTeam}</span>}
    </MembershipRow>
  );
}

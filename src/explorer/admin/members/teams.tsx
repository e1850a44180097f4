// Teams: who works together on which part of the catalog, and who may see it.

import { ask } from '../../asking/ask.ts';
import { TeamsToChoose } from '../../asking/choices.graphql';
import { useList } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { type Named, NamedForm } from '../named-form.tsx';
import { atOnce, Count, Part } from '../part.tsx';
import { Members } from './members.tsx';
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
const renewed = [AdminTeams, TeamsToChoose];

interface TeamInput extends Named {
  readonly type: (typeof types)[number];
}

/** All teams. */
export function Teams() {
  const list = useList(AdminTeams, {}, { atOnce, of: (data) => data.teams });
  return (
    <Part
      title={words.parts.teams}
      hint={words.teamsAre}
      list={list}
      makes={words.makeTeam}
      heads={[words.teamType, words.memberCount, words.holdsCount]}
      beside={({ isDefaultTeam }) =>
        isDefaultTeam && <span className="badge">{words.defaultTeam}</span>
      }
      cells={({ type, members, resources }) => [
        words.teamTypes[type],
        <Count key="members" of={members.length} />,
        <Count key="holds" of={resources.totalCount} />,
      ]}
      form={(team, close) => <TeamForm team={team} close={close} />}
    />
  );
}

function TeamForm({ team, close }: { team: AdminTeam | null; close: () => void }) {
  const { name = '', description = '', type = 'OPEN' } = team ?? {};
  const now: TeamInput = { name, description, type };
  return (
    <NamedForm
      now={now}
      makes={team ? null : words.makeTeam}
      acts={{
        renewed,
        save: (input) => (team ? change(team, input, now) : make(input)),
        remove:
          team && !team.isDefaultTeam
            ? () => ask(DeleteTeam, { id: team.id, version: team.version })
            : null,
      }}
      close={close}
      removeMeans={words.deleteTeamMeans}
      fields={({ value, write }) => (
        <Choice
          label={words.teamType}
          none={null}
          value={value.type}
          choices={types.map((id) => ({ id, name: words.teamTypes[id] }))}
          choose={(id) => write({ ...value, type: id === 'CLOSED' ? 'CLOSED' : 'OPEN' })}
        />
      )}
    >
      {team && (
        <Members
          of={team}
          renewed={renewed}
          add={(userId) => ask(AddToTeam, { id: team.id, userIds: [userId] })}
          takeOut={(userId) => ask(TakeFromTeam, { id: team.id, userIds: [userId] })}
        />
      )}
    </NamedForm>
  );
}

async function make(input: TeamInput) {
  const { createTeam } = await ask(MakeTeam, { input });
  if (!createTeam) return null;
  const { id, version } = createTeam;
  return () => ask(DeleteTeam, { id, version });
}

async function change({ id, version }: AdminTeam, input: TeamInput, before: TeamInput) {
  const { updateTeam } = await ask(ChangeTeam, { id, version, input });
  if (!updateTeam) return null;
  return () => ask(ChangeTeam, { id, version: updateTeam.version, input: before });
}

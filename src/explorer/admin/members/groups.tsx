// Groups: people who own things together.

import { ask } from '../../asking/ask.ts';
import { GroupsToChoose } from '../../asking/choices.graphql';
import { useList } from '../../asking/use-answer.ts';
import { adminWords as words } from '../../words/admin.ts';
import { type Named, NamedForm } from '../named-form.tsx';
import { atOnce, Count, Part } from '../part.tsx';
import {
  AddToGroup,
  type AdminGroup,
  AdminGroups,
  ChangeGroup,
  DeleteGroup,
  MakeGroup,
  TakeFromGroup,
} from './groups.graphql';
import { Members } from './members.tsx';

const renewed = [AdminGroups, GroupsToChoose];

/** All groups. */
export function Groups() {
  const list = useList(AdminGroups, {}, { atOnce, of: (data) => data.groups });
  return (
    <Part
      title={words.parts.groups}
      hint={words.groupsAre}
      list={list}
      makes={words.makeGroup}
      heads={[words.description, words.memberCount, words.ownsCount]}
      cells={({ description, members, ownedResources }) => [
        description,
        <Count key="members" of={members.length} />,
        <Count key="owns" of={ownedResources.totalCount} />,
      ]}
      form={(group, close) => <GroupForm group={group} close={close} />}
    />
  );
}

function GroupForm({ group, close }: { group: AdminGroup | null; close: () => void }) {
  const { name = '', description = '' } = group ?? {};
  const now = { name, description };
  return (
    <NamedForm
      now={now}
      makes={group ? null : words.makeGroup}
      acts={{
        renewed,
        save: (input) => (group ? change(group, input, now) : make(input)),
        remove: group ? () => ask(DeleteGroup, { id: group.id, version: group.version }) : null,
      }}
      close={close}
      removeMeans={words.deleteGroupMeans}
    >
      {group && (
        <Members
          of={group}
          renewed={renewed}
          add={(userId) => ask(AddToGroup, { id: group.id, userIds: [userId] })}
          takeOut={(userId) => ask(TakeFromGroup, { id: group.id, userIds: [userId] })}
        />
      )}
    </NamedForm>
  );
}

async function make(input: Named) {
  const { createGroup } = await ask(MakeGroup, { input });
  if (!createGroup) return null;
  const { id, version } = createGroup;
  return () => ask(DeleteGroup, { id, version });
}

async function change({ id, version }: AdminGroup, input: Named, before: Named) {
  const { updateGroup } = await ask(ChangeGroup, { id, version, input });
  if (!updateGroup) return null;
  return () => ask(ChangeGroup, { id, version: updateGroup.version, input: before });
}

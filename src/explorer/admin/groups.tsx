// Groups: people who own things together.

import { ask } from '../asking/ask.ts';
import { GroupsToChoose } from '../asking/choices.graphql';
import { useAct, useList } from '../asking/use-answer.ts';
import { adminWords as words } from '../words/admin.ts';
import {
  AddToGroup,
  type AdminGroup,
  AdminGroups,
  ChangeGroup,
  DeleteGroup,
  MakeGroup,
  TakeFromGroup,
} from './groups.graphql';
import { atOnce, List } from './list.tsx';
import { MembershipRow } from './membership.tsx';
import { NamedMaking } from './named.tsx';

const renewed = [AdminGroups, GroupsToChoose];

/** All groups. */
export function Groups() {
  const list = useList(AdminGroups, {}, { atOnce, of: (data) => data.groups });
  const make = useAct(
    (input: { name: string; description: string }) => ask(MakeGroup, { input }),
    renewed,
  );
  return (
    <>
      <p className="quiet">{words.groupsAre}</p>
      <List of={list}>{(group) => <Row group={group} />}</List>
      <NamedMaking
        title={words.makeGroup}
        error={make.error}
        isPending={make.isPending}
        make={(input, done) => make.mutate(input, { onSuccess: done })}
      />
    </>
  );
}

function Row({ group }: { group: AdminGroup }) {
  const { id, version, ownedResources } = group;
  const act = useAct((change: () => Promise<unknown>) => change(), renewed);
  return (
    <MembershipRow
      of={group}
      says={words.owns(ownedResources.totalCount)}
      deleteMeans={words.deleteGroupMeans}
      acts={{
        isPending: act.isPending,
        error: act.error,
        rename: (input, done) =>
          act.mutate(() => ask(ChangeGroup, { id, version, input }), { onSuccess: done }),
        add: (userId) => act.mutate(() => ask(AddToGroup, { id, userIds: [userId] })),
        takeAway: (userId) => act.mutate(() => ask(TakeFromGroup, { id, userIds: [userId] })),
        remove: () => act.mutate(() => ask(DeleteGroup, { id, version })),
      }}
    />
  );
}

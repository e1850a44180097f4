// In charge of groups: people who own things together.

import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-act.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useShown } from '../parts/more.tsx';
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
import { MembershipMaking, MembershipRow } from './membership.tsx';

/** All groups. */
export function Groups() {
  const shown = useShown(atOnce);
  const { first } = shown;
  const answer = useAnswer(AdminGroups, { first }, { isKept: true });
  const make = useAct(
    (input: { name: string; description: string }) => ask(MakeGroup, { input }),
    [AdminGroups],
  );
  return (
    <>
      <p className="quiet">{words.groupsAre}</p>
      <List answer={answer} found={answer.data?.groups} shown={shown}>
        {(group) => <Row group={group} />}
      </List>
      <MembershipMaking
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
  const act = useAct((change: () => Promise<unknown>) => change(), [AdminGroups]);
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

// Members of a group or a team: each is added or taken out by itself, and that can be undone.

import { useUndoable } from '../../asking/undo.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { usePeople } from '../../parts/choosing/choose.tsx';
import { Combobox } from '../../parts/choosing/combobox.tsx';
import { Problem } from '../../parts/problem.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';

interface MembersProps {
  readonly of: {
    readonly name: string;
    readonly members: readonly { readonly id: string; readonly name: string }[];
  };
  readonly renewed: readonly { readonly name: string }[];
  readonly add: (userId: string) => Promise<unknown>;
  readonly takeOut: (userId: string) => Promise<unknown>;
}

/** Members that are named at most: the others are counted. */
const mostNamed = 100;

/** The list, and the field that adds another one. */
export function Members({ of: { name, members }, renewed, add, takeOut }: MembersProps) {
  const { people, ...found } = usePeople(true);
  const act = useUndoable(renewed);
  const change = (says: string, does: typeof add, inverse: typeof add, userId: string) =>
    act.mutate({
      says,
      async act() {
        await does(userId);
        return () => inverse(userId);
      },
    });
  const named = members.slice(0, mostNamed);
  const isIn = (id: string) => members.some((member) => member.id === id);
  return (
    <section className="members">
      <h3>{words.members(members.length)}</h3>
      <ul>
        {named.map((member) => (
          <li key={member.id}>
            <Avatar name={member.name} />
            <span dir="auto">{member.name}</span>
            <button
              type="button"
              className="away"
              aria-label={common.takeAway(member.name)}
              onClick={() => change(common.toast.removed(member.name), takeOut, add, member.id)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {members.length > named.length && (
        <p className="quiet">{common.resource.moreLinks(members.length - named.length)}</p>
      )}
      <Combobox
        {...found}
        label={words.addMember(name)}
        isBare
        placeholder={words.addMemberNone}
        choices={people.filter(({ id }) => !isIn(id))}
        chosen={[]}
        set={([one]) => one && change(common.toast.added(one.name), add, takeOut, one.id)}
      />
      {act.error && <Problem error={act.error} />}
    </section>
  );
}

// One group or team in a list: its members, its name, and deleting it.

import type { ReactNode } from 'react';
import { ChoosePerson } from '../parts/choose.tsx';
import { Pill } from '../parts/pill.tsx';
import { auditWords, adminWords as words } from '../words/admin.ts';
import { words as common } from '../words.ts';
import { type NamedActs, NamedRow } from './named.tsx';

/** What a group and a team have in common. */
interface Membership {
  readonly name: string;
  readonly description: string;
  readonly members: readonly { readonly id: string; readonly name: string }[];
}

/** What can be done with it. */
export interface MembershipActs extends NamedActs {
  add(userId: string): void;
  takeAway(userId: string): void;
}

interface MembershipProps {
  readonly of: Membership;
  readonly acts: MembershipActs;
  /** What is said of it besides. */
  readonly says: string;
  /** What follows from deleting it. */
  readonly deleteMeans: string;
  /** Words next to its name. */
  readonly children?: ReactNode;
}

/** Members that are named at most: the others are counted. */
const mostNamed = 100;

/** The row. */
export function MembershipRow({ of, acts, says, deleteMeans, children }: MembershipProps) {
  return (
    <NamedRow of={of} acts={acts} says={says} deleteMeans={deleteMeans} badges={children}>
      <details>
        <summary>
          {words.members(of.members.length)}
          <span className="spoken"> {words.ofWhat(of.name)}</span>
        </summary>
        <Members of={of} acts={acts} />
      </details>
    </NamedRow>
  );
}

function Members({ of: { name, members }, acts }: Pick<MembershipProps, 'of' | 'acts'>) {
  const named = members.slice(0, mostNamed);
  return (
    <div className="members">
      {named.map((member) => (
        <Pill
          key={member.id}
          name={member.name}
          takeAway={() => acts.takeAway(member.id)}
          isBusy={acts.isPending}
        />
      ))}
      {members.length > named.length && (
        <span className="quiet">{common.resource.moreLinks(members.length - named.length)}</span>
      )}
      <ChoosePerson
        label={words.addMember(name)}
        none={words.addMemberNone}
        me={auditWords.me}
        value=""
        isBusy={acts.isPending}
        choose={acts.add}
      />
    </div>
  );
}

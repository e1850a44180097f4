// Owners, teams and tags of a resource: seen by all, changed by those who may.

import type { ReactNode } from 'react';
import { ask } from '../asking/ask.ts';
import { GroupsToChoose, TeamsToChoose } from '../asking/choices.graphql';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { usePeople } from '../parts/choose.tsx';
import { AddFrom, type Choosable, Pill } from '../parts/pill.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { SaveLinks, type SaveLinksVariables, TagsToChoose } from './history.graphql';
import { ResourcePage } from './page.graphql';
import type { ResourceShown } from './shown.ts';

interface LinksProps {
  readonly resource: ResourceShown;
}

/** Its owners: people, and groups of them. */
export function Owners({ resource }: LinksProps) {
  const mayEdit = useMayLink(resource);
  const { people, narrow } = usePeople(mayEdit);
  const { data } = useAnswer(GroupsToChoose, {}, { isWanted: mayEdit });
  const { owners, ownerGroups, unknownOwners } = resource;
  const groups = data?.groups.nodes ?? [];
  const isGroup = (id: string) => [...groups, ...ownerGroups].some((group) => group.id === id);
  return (
    <>
      {owners.length + ownerGroups.length === 0 && (
        <span className="quiet">{words.resource.noOwners}</span>
      )}
      <Chosen
        resource={resource}
        chosen={[...ownerGroups, ...owners]}
        choices={mayEdit ? partsOf(people, groups) : null}
        isCut={data?.groups.pageInfo.hasNextPage}
        label={words.resource.addOwner}
        kindOf={(id) => (isGroup(id) ? words.resource.group : undefined)}
        add={(id) => (isGroup(id) ? { addOwnerGroupIds: [id] } : { addOwnerIds: [id] })}
        remove={(id) => (isGroup(id) ? { removeOwnerGroupIds: [id] } : { removeOwnerIds: [id] })}
      >
        {narrow}
      </Chosen>
      {unknownOwners.length > 0 && (
        <p className="quiet">{words.resource.unknownOwners(unknownOwners.join(', '))}</p>
      )}
    </>
  );
}

/** People and groups as one list in two parts; without names for them where there are only people. */
function partsOf(people: readonly Choosable[], groups: readonly Choosable[]): readonly Choosable[] {
  if (groups.length === 0) return people;
  const under = (list: readonly Choosable[], name: string) =>
    list.map((one) => ({ ...one, under: name }));
  return [...under(groups, words.resource.groups), ...under(people, words.resource.people)];
}

/** Its tags. */
export function Tags({ resource }: LinksProps) {
  const mayEdit = useMayLink(resource);
  const { data } = useAnswer(TagsToChoose, {}, { isWanted: mayEdit });
  return (
    <>
      {resource.tags.length === 0 && <span className="quiet">{words.resource.noTags}</span>}
      <Chosen
        resource={resource}
        chosen={resource.tags}
        choices={mayEdit ? (data?.tags.nodes ?? []) : null}
        isCut={data?.tags.pageInfo.hasNextPage}
        label={words.resource.addTag}
        add={(id) => ({ addTagIds: [id] })}
        remove={(id) => ({ removeTagIds: [id] })}
      />
    </>
  );
}

/** The teams that hold it: their guests see it. */
export function Teams({ resource }: LinksProps) {
  const mayEdit = useMayLink(resource);
  const { data } = useAnswer(TeamsToChoose, {}, { isWanted: mayEdit });
  return (
    <>
      {resource.teams.length === 0 && <span className="quiet">{words.resource.noTeams}</span>}
      <Chosen
        resource={resource}
        chosen={resource.teams}
        choices={mayEdit ? (data?.teams.nodes ?? []) : null}
        isCut={data?.teams.pageInfo.hasNextPage}
        label={words.resource.addTeam}
        add={(id) => ({ addTeamIds: [id] })}
        remove={(id) => ({ removeTeamIds: [id] })}
      />
    </>
  );
}

/** Whether the viewer may say what others rely on: no, until the server has said so. */
function useMayLink({ currentUserPermissions }: ResourceShown): boolean {
  return useMay('edit_resources') && currentUserPermissions.write;
}

interface ChosenProps extends LinksProps {
  readonly chosen: readonly Choosable[];
  /** What there is to choose from; null for who may not. */
  readonly choices: readonly Choosable[] | null;
  readonly isCut?: boolean | undefined;
  readonly label: string;
  /** What one of them is, where that has to be said. */
  readonly kindOf?: (id: string) => string | undefined;
  readonly add: (id: string) => SaveLinksVariables['input'];
  readonly remove: (id: string) => SaveLinksVariables['input'];
  /** What narrows the list. */
  readonly children?: ReactNode;
}

/** What is chosen, each with a button that takes it away, and a list to add from. */
function Chosen(props: ChosenProps) {
  const { chosen, choices, isCut = false, label, kindOf, add, remove, children } = props;
  const { id } = props.resource;
  const save = useAct(
    // One is added or taken away, whatever others did in the meantime: nothing of theirs is lost.
    (input: SaveLinksVariables['input']) => ask(SaveLinks, { id, input }),
    [ResourcePage],
  );
  return (
    <>
      {chosen.map((one) => (
        <Pill
          key={one.id}
          name={one.name}
          kind={kindOf?.(one.id)}
          takeAway={choices ? () => save.mutate(remove(one.id)) : undefined}
          isBusy={save.isPending}
        />
      ))}
      {children}
      <AddFrom
        label={label}
        says={`${label} …`}
        choices={choices ?? []}
        chosen={chosen.map((one) => one.id)}
        add={(one) => save.mutate(add(one))}
        isBusy={save.isPending}
        isCut={isCut}
      />
      {save.error && <Problem error={save.error} />}
    </>
  );
}

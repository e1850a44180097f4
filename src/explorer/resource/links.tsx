// Owners, teams and tags of a resource: seen by all, changed by those who may.

import { ask } from '../asking/ask.ts';
import { GroupsToChoose, TagsToChoose, TeamsToChoose } from '../asking/choices.graphql';
import { useUndoable } from '../asking/undo.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { byName, type Choosable } from '../parts/choosing/choosable.ts';
import { usePeople } from '../parts/choosing/choose.tsx';
import { Combobox, type ComboboxProps } from '../parts/choosing/combobox.tsx';
import { Hue } from '../parts/choosing/hue.tsx';
import { Pill } from '../parts/pill.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { SaveLinks, type SaveLinksVariables } from './history.graphql';
import { ResourcePage } from './page.graphql';
import type { ResourceShown } from './shown.ts';

interface LinksProps {
  readonly resource: ResourceShown;
}

/** Its owners: people, and groups of them. */
export function Owners({ resource }: LinksProps) {
  const mayEdit = useMayLink(resource);
  const { people, ...found } = usePeople(mayEdit);
  const { data } = useAnswer(GroupsToChoose, {}, { isWanted: mayEdit });
  const { owners, ownerGroups, unknownOwners } = resource;
  const groups = byName(data?.groups.nodes ?? []).map((group) => ({
    ...group,
    mark: <Avatar name={group.name} isGroup />,
  }));
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
        found={found}
        label={words.resource.addOwner}
        kindOf={(id) => (isGroup(id) ? words.resource.group : undefined)}
        add={(id) => (isGroup(id) ? { addOwnerGroupIds: [id] } : { addOwnerIds: [id] })}
        remove={(id) => (isGroup(id) ? { removeOwnerGroupIds: [id] } : { removeOwnerIds: [id] })}
      />
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
        chosen={resource.tags.map(asTag)}
        choices={mayEdit ? byName(data?.tags.nodes ?? []).map(asTag) : null}
        found={{ isCut: data?.tags.pageInfo.hasNextPage ?? false }}
        label={words.resource.addTag}
        add={(id) => ({ addTagIds: [id] })}
        remove={(id) => ({ removeTagIds: [id] })}
      />
    </>
  );
}

function asTag({ id, name, color }: { id: string; name: string; color: string }): Choosable {
  return { id, name, mark: <Hue of={color} /> };
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
        choices={mayEdit ? byName(data?.teams.nodes ?? []) : null}
        found={{ isCut: data?.teams.pageInfo.hasNextPage ?? false }}
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
  /** How others are looked for, and whether there are more than these. */
  readonly found: Pick<ComboboxProps, 'search' | 'isLoading' | 'isCut'>;
  readonly label: string;
  /** What one of them is, where that has to be said. */
  readonly kindOf?: (id: string) => string | undefined;
  readonly add: (id: string) => SaveLinksVariables['input'];
  readonly remove: (id: string) => SaveLinksVariables['input'];
}

/** What is chosen, each with a button that takes it away, and a list to add from. */
function Chosen(props: ChosenProps) {
  const { chosen, choices, found, label, kindOf, add, remove } = props;
  const { id } = props.resource;
  const save = useUndoable([ResourcePage]);
  // One is added or taken away, whatever others did in the meantime: nothing of theirs is lost.
  const change = (says: string, does: typeof add, takesBack: typeof add, one: string) =>
    save.mutate({
      says,
      async act() {
        await ask(SaveLinks, { id, input: does(one) });
        return () => ask(SaveLinks, { id, input: takesBack(one) });
      },
    });
  return (
    <>
      {chosen.map((one) => (
        <Pill
          key={one.id}
          name={one.name}
          mark={one.mark}
          kind={kindOf?.(one.id)}
          takeAway={
            choices ? () => change(words.toast.removed(one.name), remove, add, one.id) : undefined
          }
          isBusy={save.isPending}
        />
      ))}
      {choices && (
        <Combobox
          {...found}
          label={label}
          isBare
          placeholder={`${label} …`}
          choices={choices.filter((one) => !chosen.some(({ id }) => id === one.id))}
          chosen={[]}
          set={([one]) => one && change(words.toast.added(one.name), add, remove, one.id)}
        />
      )}
      {save.error && <Problem error={save.error} />}
    </>
  );
}

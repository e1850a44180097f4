// In charge of who owns a resource, which teams hold it and how it is tagged: seen by all, changed by those who may.

import type { ReactNode } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-act.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/use-viewer.ts';
import { usePeople } from '../parts/choose.tsx';
import { AddFrom, type Choosable, Pill } from '../parts/pill.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { SaveLinks, type SaveLinksVariables, TagsToChoose, TeamsToChoose } from './history.graphql';
import { ResourcePage } from './page.graphql';
import type { ResourceShown } from './shown.ts';

interface LinksProps {
  readonly resource: ResourceShown;
}

/** Its owners; owning groups are shown beside them. */
export function Owners({ resource }: LinksProps) {
  const mayEdit = useMayLink(resource);
  const { people, narrow } = usePeople(mayEdit);
  const { owners, ownerGroups } = resource;
  return (
    <>
      {owners.length + ownerGroups.length === 0 && (
        <span className="quiet">{words.resource.noOwners}</span>
      )}
      {ownerGroups.map(({ id, name }) => (
        <Pill key={id} name={name} />
      ))}
      <Chosen
        resource={resource}
        chosen={owners}
        choices={mayEdit ? people : null}
        label={words.resource.addOwner}
        add={(id) => ({ addOwnerIds: [id] })}
        remove={(id) => ({ removeOwnerIds: [id] })}
      >
        {narrow}
      </Chosen>
    </>
  );
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
  readonly add: (id: string) => SaveLinksVariables['input'];
  readonly remove: (id: string) => SaveLinksVariables['input'];
  /** What narrows the list. */
  readonly children?: ReactNode;
}

/** What is chosen, each with a button that takes it away, and a list to add from. */
function Chosen(props: ChosenProps) {
  const { chosen, choices, isCut = false, label, add, remove, children } = props;
  const { id } = props.resource;
  const save = useAct(
    // One is added or taken away, whatever others did meanwhile: nothing of theirs is lost.
    (input: SaveLinksVariables['input']) => ask(SaveLinks, { id, input }),
    [ResourcePage],
  );
  return (
    <>
      {chosen.map((one) => (
        <Pill
          key={one.id}
          name={one.name}
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

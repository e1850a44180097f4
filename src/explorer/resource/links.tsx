// In charge of who owns a resource and how it is tagged: seen by all, changed by those who may.

import { ask } from '../asking/ask.ts';
import { PeopleToChoose } from '../asking/choices.graphql';
import { useAct } from '../asking/use-act.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/use-viewer.ts';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { SaveLinks, type SaveLinksVariables, TagsToChoose } from './history.graphql';
import { ResourcePage } from './page.graphql';
import type { ResourceShown } from './shown.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Its owners; owning groups are shown beside them. */
export function Owners({ resource }: { resource: ResourceShown }) {
  const mayEdit = useMay('edit_resources') && resource.currentUserPermissions.write;
  const { data } = useAnswer(PeopleToChoose, {}, { isWanted: mayEdit });
  const { owners, ownerGroups } = resource;
  return (
    <>
      {owners.length + ownerGroups.length === 0 && (
        <span className="quiet">{words.resource.noOwners}</span>
      )}
      {ownerGroups.map(({ id, name }) => (
        <span key={id} className="pill">
          {name}
        </span>
      ))}
      <Chosen
        resource={resource}
        chosen={owners}
        choices={mayEdit ? (data?.users.nodes ?? []) : null}
        label={words.resource.addOwner}
        add={(id) => ({ addOwnerIds: [id] })}
        remove={(id) => ({ removeOwnerIds: [id] })}
      />
    </>
  );
}

/** Its tags. */
export function Tags({ resource }: { resource: ResourceShown }) {
  const mayEdit = useMay('edit_resources') && resource.currentUserPermissions.write;
  const { data } = useAnswer(TagsToChoose, {}, { isWanted: mayEdit });
  return (
    <>
      {resource.tags.length === 0 && <span className="quiet">{words.resource.noTags}</span>}
      <Chosen
        resource={resource}
        chosen={resource.tags}
        choices={mayEdit ? (data?.tags.nodes ?? []) : null}
        label={words.resource.addTag}
        add={(id) => ({ addTagIds: [id] })}
        remove={(id) => ({ removeTagIds: [id] })}
      />
    </>
  );
}

interface ChosenProps {
  readonly resource: ResourceShown;
  readonly chosen: readonly Named[];
  /** What there is to choose from; null for who may not. */
  readonly choices: readonly Named[] | null;
  readonly label: string;
  readonly add: (id: string) => SaveLinksVariables['input'];
  readonly remove: (id: string) => SaveLinksVariables['input'];
}

/** What is chosen, each with a button that takes it away, and a list to add from. */
function Chosen({ resource: { id }, chosen, choices, label, add, remove }: ChosenProps) {
  const save = useAct(
    // One is added or taken away, whatever others did meanwhile: nothing of theirs is lost.
    (input: SaveLinksVariables['input']) => ask(SaveLinks, { id, input }),
    [ResourcePage],
  );
  const ids = chosen.map((one) => one.id);
  const others = (choices ?? [])
    .filter((one) => !ids.includes(one.id))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      {chosen.map((one) => (
        <span key={one.id} className="pill">
          {one.name}
          {choices && (
            <button
              type="button"
              className="away"
              disabled={save.isPending}
              aria-label={words.resource.takeAway(one.name)}
              onClick={() => save.mutate(remove(one.id))}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {others.length > 0 && (
        <select
          className="add"
          aria-label={label}
          value=""
          disabled={save.isPending}
          onChange={({ currentTarget }) => save.mutate(add(currentTarget.value))}
        >
          <option value="">{label} …</option>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      )}
      {save.error && <Problem error={save.error} />}
    </>
  );
}

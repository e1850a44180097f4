// Tags: the words that resources are found and filtered by, each with a colour.

import { ask } from '../../asking/ask.ts';
import { TagsToChoose } from '../../asking/choices.graphql';
import { useList } from '../../asking/use-answer.ts';
import { Hue } from '../../parts/choosing/hue.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { NamedForm } from '../named-form.tsx';
import { atOnce, Count, Part } from '../part.tsx';
import { type AdminTag, AdminTags, ChangeTag, DeleteTag, MakeTag } from './tags.graphql';

const renewed = [AdminTags, TagsToChoose];

/** Colours to begin with. */
const colours = ['#1d5fc4', '#0b6a50', '#875200', '#ad2121', '#6a36b5', '#a3246f', '#0a6576'];

/** All tags. */
export function Tags() {
  const list = useList(AdminTags, {}, { atOnce, of: (data) => data.tags });
  return (
    <Part
      title={words.parts.tags}
      hint={words.tagsAre}
      list={list}
      makes={words.makeTag}
      heads={[words.description, words.usedOn]}
      mark={({ color }) => <Hue of={color} />}
      cells={({ description, resources }) => [
        description,
        <Count key="on" of={resources.totalCount} />,
      ]}
      form={(tag, close) => <TagForm tag={tag} close={close} />}
    />
  );
}

function TagForm({ tag, close }: { tag: AdminTag | null; close: () => void }) {
  const { name = '', description = '', color = colours[0] ?? '' } = tag ?? {};
  const now = { name, description, color };
  return (
    <NamedForm
      now={now}
      makes={tag ? null : words.makeTag}
      acts={{
        renewed,
        save: (input) => (tag ? change(tag, input, now) : make(input)),
        remove: tag ? () => ask(DeleteTag, { id: tag.id, version: tag.version }) : null,
      }}
      close={close}
      removeMeans={words.deleteTagMeans(tag?.resources.totalCount ?? 0)}
      fields={({ value, write }) => (
        <fieldset className="plain-set colours">
          <legend>{words.colour}</legend>
          {[...new Set([...colours, color.toLowerCase(), value.color.toLowerCase()])].map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="color"
                aria-label={one}
                checked={value.color.toLowerCase() === one}
                onChange={() => write({ ...value, color: one })}
              />
              <Hue of={one} />
            </label>
          ))}
          <label>
            {words.otherColour}
            <input
              type="color"
              value={value.color}
              onChange={({ currentTarget }) => write({ ...value, color: currentTarget.value })}
            />
          </label>
        </fieldset>
      )}
    />
  );
}

interface TagInput {
  readonly name: string;
  readonly description: string;
  readonly color: string;
}

async function make(input: TagInput) {
  const { createTag } = await ask(MakeTag, { input });
  if (!createTag) return null;
  const { id, version } = createTag;
  return () => ask(DeleteTag, { id, version });
}

async function change({ id, version }: AdminTag, input: TagInput, before: TagInput) {
  const { updateTag } = await ask(ChangeTag, { id, version, input });
  if (!updateTag) return null;
  return () => ask(ChangeTag, { id, version: updateTag.version, input: before });
}

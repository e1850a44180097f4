// Tags: the words that resources are found and filtered by.

import { ask } from '../asking/ask.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { TagsToChoose } from '../resource/history.graphql';
import { adminWords as words } from '../words/admin.ts';
import { atOnce, List } from './list.tsx';
import { NamedMaking, NamedRow } from './named.tsx';
import { type AdminTag, AdminTags, ChangeTag, DeleteTag, MakeTag } from './tags.graphql';

const renewed = [AdminTags, TagsToChoose];

/** All tags. */
export function Tags() {
  const list = useList(AdminTags, {}, { atOnce, of: (data) => data.tags });
  const make = useAct(
    (input: { name: string; description: string }) => ask(MakeTag, { input }),
    renewed,
  );
  return (
    <>
      <p className="quiet">{words.tagsAre}</p>
      <List of={list}>{(tag) => <Row tag={tag} />}</List>
      <NamedMaking
        title={words.makeTag}
        error={make.error}
        isPending={make.isPending}
        make={(input, done) => make.mutate(input, { onSuccess: done })}
      />
    </>
  );
}

function Row({ tag }: { tag: AdminTag }) {
  const { id, version, resources } = tag;
  const act = useAct((change: () => Promise<unknown>) => change(), renewed);
  return (
    <NamedRow
      of={tag}
      says={words.tagged(resources.totalCount)}
      deleteMeans={words.deleteTagMeans}
      acts={{
        isPending: act.isPending,
        error: act.error,
        rename: (input, done) =>
          act.mutate(() => ask(ChangeTag, { id, version, input }), { onSuccess: done }),
        remove: () => act.mutate(() => ask(DeleteTag, { id, version })),
      }}
    />
  );
}

// What people wrote on resources that a deletion of their source takes away, as Markdown to keep.

import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../window/save-file.ts';
import { addressWords as words } from '../words/addresses.ts';
import { TextsOfPeople, type TextsOfPeopleData } from './page.graphql';

const atOnce = 500;

/** How much it is, and the button that saves it; nothing where people wrote nothing. */
export function TextsToKeep({ id, name }: { id: string; name: string }) {
  const { data } = useAnswer(TextsOfPeople, { id, first: 1, after: null });
  const save = useAct(
    async () => saveFile(`${name}.md`, await markdownOf(id), 'text/markdown'),
    [],
  );
  const count = data?.resources.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <section className="doing">
      <p className="warned">{words.written(count)}</p>
      <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        {words.keepTexts}
      </button>
      {save.error && <Problem error={save.error} />}
    </section>
  );
}

async function markdownOf(id: string): Promise<string> {
  const parts: string[] = [];
  for (let after: string | null = null; ; ) {
    const { resources }: TextsOfPeopleData = await ask(TextsOfPeople, { id, first: atOnce, after });
    parts.push(...resources.nodes.map(sectionOf));
    after = resources.pageInfo.endCursor;
    if (!resources.pageInfo.hasNextPage || after === null) return parts.join('\n');
  }
}

type Written = TextsOfPeopleData['resources']['nodes'][number];

function sectionOf({ kind, titleFull, description, definition }: Written): string {
  const texts = [description, definition].filter((text) => text);
  return [`# ${titleFull}`, '', `*${kind}*`, '', ...texts.flatMap((text) => [text, ''])].join('\n');
}

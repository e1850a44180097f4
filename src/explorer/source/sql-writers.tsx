// Who may write SQL for a source, besides admins: people and teams that an admin names.

import { ask } from '../asking/ask.ts';
import { TeamsToChoose } from '../asking/choices.graphql';
import { useForm } from '../asking/form.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { ChooseSeveral, usePeople } from '../parts/choosing/choose.tsx';
import { Overtaken, Problem } from '../parts/problem.tsx';
import { sourceWords as words } from '../words/sources.ts';
import { words as common } from '../words.ts';
import { SaveSource, SourcePage } from './page.graphql';
import type { SourceThere } from './shown.ts';

/** The form. */
export function SqlWriters({ source: { id, version, sqlWriterIds } }: { source: SourceThere }) {
  const form = useForm(sqlWriterIds);
  const { people, ...found } = usePeople(true);
  const teams = useAnswer(TeamsToChoose, {}).data?.teams.nodes ?? [];
  const save = useAct(
    () => ask(SaveSource, { id, version, input: { sqlWriterIds: form.value } }),
    [SourcePage],
  );
  const choices = [
    ...teams.map((team) => ({ ...team, under: common.resource.teams })),
    ...people.map((person) => ({ ...person, under: common.resource.people })),
  ];
  return (
    <section className="doing">
      <h2>{words.sqlWriters}</h2>
      <p className="quiet">{words.sqlWritersMeans}</p>
      <form
        className="doing"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined, { onSuccess: form.drop });
        }}
      >
        <ChooseSeveral
          {...found}
          label={words.sqlWritersChosen}
          choices={choices}
          chosen={form.value}
          set={(ids) => form.write([...ids])}
        />
        {form.isOvertaken ? (
          <Overtaken take={form.drop}>{words.sqlWritersNow(sqlWriterIds.length)}</Overtaken>
        ) : (
          save.error && <Problem error={save.error} />
        )}
        {form.isWritten && (
          <button type="submit" className="main" disabled={save.isPending}>
            {form.isOvertaken ? common.edit.saveAnyway : words.sqlWritersSave}
          </button>
        )}
      </form>
    </section>
  );
}

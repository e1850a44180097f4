// The settings of a source: its name and when it is read by itself.

import { ask } from '../asking/ask.ts';
import { useForm } from '../asking/form.ts';
import { useAct } from '../asking/use-answer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { Moment } from '../parts/moment.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Overtaken, Problem } from '../parts/problem.tsx';
import { SourceList } from '../sources/page.graphql';
import { sourceWords as words } from '../words/sources.ts';
import { words as common } from '../words.ts';
import { SaveSource, SourcePage } from './page.graphql';
import type { SourceThere } from './shown.ts';

const hoursOffered = [1, 6, 24, 168] as const;

interface SettingsProps {
  readonly source: SourceThere;
  readonly mayManage: boolean;
  readonly isLive: boolean;
}

/** What may be changed, for who may; what it is, for all others. */
export function Settings({ source, mayManage, isLive }: SettingsProps) {
  const { id, version, scheduledExtractionsFrequency: hours, hasCredentials } = source;
  const form = useForm({
    name: source.name,
    every: String(hours ?? ''),
    repository: repositoryOf(source),
    keepsFailingRows: source.keepsFailingRows,
  });
  const { name, every, repository, keepsFailingRows } = form.value;
  const hasFiles = source.fedBy === 'artifacts';
  const save = useAct(
    () =>
      ask(SaveSource, {
        id,
        version,
        input: {
          ...{ name, keepsFailingRows },
          scheduledExtractionsFrequency: every === '' ? null : Number(every),
          ...(hasFiles ? { properties: withRepository(source, repository.trim()) } : {}),
        },
      }),
    [SourcePage, SourceList],
  );
  const next = source.scheduledExtractionsNextRun;
  return (
    <section className="doing">
      <h2>{words.settings}</h2>
      {mayManage ? (
        <form
          className="doing"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(undefined, { onSuccess: form.drop });
          }}
        >
          <NameField
            label={words.name}
            value={name}
            set={(next) => form.write({ ...form.value, name: next })}
          />
          {isLive && (
            <Choice
              label={words.schedule}
              none={words.schedules[0]}
              value={every}
              choices={choicesWith(hours)}
              choose={(next) => form.write({ ...form.value, every: next })}
            />
          )}
          {hasFiles && (
            <label className="choice">
              <span>
                {words.repository} <small>{words.optional}</small>
              </span>
              <input
                type="url"
                value={repository}
                placeholder={words.repositoryLike}
                onChange={({ currentTarget }) =>
                  form.write({ ...form.value, repository: currentTarget.value })
                }
              />
            </label>
          )}
          {isLive && (
            <label className="radio">
              <input
                type="checkbox"
                checked={keepsFailingRows}
                onChange={({ currentTarget }) =>
                  form.write({ ...form.value, keepsFailingRows: currentTarget.checked })
                }
              />
              <span>
                {words.keepsRows}
                <br />
                <small className="quiet">{words.keepsRowsHint}</small>
              </span>
            </label>
          )}
          {form.isOvertaken ? (
            <Overtaken take={form.drop}>
              {source.name} · {hours === null ? words.noSchedule : words.every(hours)}
            </Overtaken>
          ) : (
            save.error && <Problem error={save.error} />
          )}
          {form.isWritten && (
            <button type="submit" className="main" disabled={save.isPending}>
              {form.isOvertaken ? common.edit.saveAnyway : words.save}
            </button>
          )}
        </form>
      ) : (
        <p>{hours === null ? words.noSchedule : words.every(hours)}</p>
      )}
      {next && (
        <p className="quiet">
          {words.next} <Moment at={next} />
        </p>
      )}
      {hasCredentials && <p className="quiet">{words.credentialsKept}</p>}
    </section>
  );
}

/** The address of the repository of a project; empty where none is set. */
function repositoryOf({ properties }: SourceThere): string {
  const { git_url: said } = Object.fromEntries(Object.entries(properties ?? {}));
  return typeof said === 'string' ? said : '';
}

/** Its settings, with another address of the repository; what else is set stays. */
function withRepository({ properties }: SourceThere, address: string) {
  const { git_url: _before, ...rest } = Object.fromEntries(Object.entries(properties ?? {}));
  return address === '' ? rest : { ...rest, git_url: address };
}

function choicesWith(now: number | null) {
  const usual = hoursOffered.map((hours) => ({ id: String(hours), name: words.schedules[hours] }));
  if (now === null || usual.some(({ id }) => id === String(now))) return usual;
  return [...usual, { id: String(now), name: words.otherSchedule(now) }];
}

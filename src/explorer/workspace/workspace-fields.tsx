// The time zone of the workspace, and the country whose holidays it keeps.

import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import {
  SetWorkspace,
  type SetWorkspaceVariables,
  WorkspaceZone,
} from './workspace-fields.graphql';

/** The fields, for those who may set them; each is saved as it is chosen. */
export function WorkspaceFields() {
  const { data } = useAnswer(WorkspaceZone, {});
  const save = useAct(
    (input: SetWorkspaceVariables['input']) => ask(SetWorkspace, { input }),
    [WorkspaceZone],
  );
  if (!data) return null;
  const { timeZone, holidayCountry, suggestedHolidayCountry: suggested } = data.workspaceSettings;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="line-of-fields">
      <Asked
        label={words.workspace.zone}
        value={timeZone}
        suggested={timeZone === null ? here : null}
        set={(zone) => save.mutate({ timeZone: zone })}
      />
      <Asked
        label={words.workspace.country}
        value={holidayCountry}
        suggested={suggested}
        set={(country) => save.mutate({ holidayCountry: country })}
      />
      {save.error && <Problem error={save.error} />}
    </div>
  );
}

interface AskedProps {
  readonly label: string;
  readonly value: string | null;
  /** What it may be, to be taken with one click; null for no guess. */
  readonly suggested: string | null;
  readonly set: (value: string | null) => void;
}

function Asked({ label, value, suggested, set }: AskedProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <input
        key={value ?? ''}
        defaultValue={value ?? ''}
        placeholder={words.workspace.none}
        maxLength={60}
        onBlur={({ currentTarget }) => {
          const given = currentTarget.value.trim();
          if (given !== (value ?? '')) set(given === '' ? null : given);
        }}
      />
      {suggested !== null && (
        <button type="button" className="plain" onClick={() => set(suggested)}>
          {words.workspace.take(suggested)}
        </button>
      )}
    </label>
  );
}

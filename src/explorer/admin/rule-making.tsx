// Form of a notification rule: of what, on what, and for whom.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { usePeople } from '../parts/choose.tsx';
import { ChooseSeveral } from '../parts/choose-several.tsx';
import { FindResource } from '../parts/find-resource.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Pill } from '../parts/pill.tsx';
import { Problem } from '../parts/problem.tsx';
import { eventName, adminWords as words } from '../words/admin.ts';
import { words as common } from '../words.ts';
import { events } from './events.ts';
import { Conditions } from './rule-conditions.tsx';
import {
  AdminRules,
  MakeRule,
  type MakeRuleVariables,
  RuleChannels,
  RuleChoices,
  RuleResources,
  type RuleResourcesData,
} from './rules.graphql';

type Input = MakeRuleVariables['input'];
type Found = RuleResourcesData['search']['nodes'][number]['resource'];

const nothing: Input = { name: '', events: ['incident_opened'] };

/** The form. */
export function RuleMaking() {
  const [input, setInput] = useState(nothing);
  const [resources, setResources] = useState<readonly Found[]>([]);
  const [emails, setEmails] = useState('');
  const write = (changes: Partial<Input>) => setInput({ ...input, ...changes });
  const make = useAct(() => {
    const resourceIds = resources.map(({ id }) => id);
    return ask(MakeRule, { input: { ...input, resourceIds, emails: addressesIn(emails) } });
  }, [AdminRules]);
  const clear = () => {
    setInput(nothing);
    setResources([]);
    setEmails('');
  };
  return (
    <form
      className="sheet form below"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined, { onSuccess: clear });
      }}
    >
      <h2>{words.makeRule}</h2>
      <NameField label={words.name} value={input.name} set={(name) => write({ name })} />
      <Events input={input} write={write} />
      <fieldset className="plain-set">
        <legend>{words.ruleOn}</legend>
        <p className="quiet">{words.ruleOnHint}</p>
        <Resources chosen={resources} set={setResources} />
        <Limits input={input} write={write} />
        <Conditions input={input} write={write} />
      </fieldset>
      <fieldset className="plain-set">
        <legend>{words.ruleWhom}</legend>
        <Recipients input={input} write={write} />
        <Addresses text={emails} set={setEmails} />
      </fieldset>
      {make.error && <Problem error={make.error} />}
      <p>
        <button type="submit" className="main" disabled={make.isPending}>
          {words.makeRule}
        </button>
      </p>
    </form>
  );
}

interface PartProps {
  readonly input: Input;
  readonly write: (changes: Partial<Input>) => void;
}

function Events({ input, write }: PartProps) {
  const chosen = input.events ?? [];
  return (
    <fieldset className="plain-set">
      <legend>{words.ruleWhen}</legend>
      {events.map((event) => (
        <label key={event} className="radio">
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              write({
                events: events.filter((one) => (one === event ? checked : chosen.includes(one))),
              })
            }
          />
          {eventName(event)}
        </label>
      ))}
    </fieldset>
  );
}

interface ResourcesProps {
  readonly chosen: readonly Found[];
  readonly set: (chosen: readonly Found[]) => void;
}

function Resources({ chosen, set }: ResourcesProps) {
  return (
    <>
      {chosen.map((one) => (
        <Pill
          key={one.id}
          name={one.titleFull}
          spoken={one.title}
          takeAway={() => set(chosen.filter(({ id }) => id !== one.id))}
        />
      ))}
      <FindResource
        key={chosen.length}
        operation={RuleResources}
        label={words.ruleResource}
        placeholder={words.ruleResourceFind}
        none={words.ruleResourceNone}
        choose={(found) => set([...chosen.filter(({ id }) => id !== found.id), found])}
      />
    </>
  );
}

function useChoices() {
  const mayReadWebhooks = useMay('manage_webhooks');
  return useAnswer(RuleChoices, { mayReadWebhooks }).data;
}

function Limits({ input, write }: PartProps) {
  const choices = useChoices();
  return (
    <>
      <div className="line-of-fields">
        <ChooseSeveral
          label={common.resource.tags}
          choices={choices?.tags.nodes ?? []}
          chosen={input.tagIds ?? []}
          set={(tagIds) => write({ tagIds })}
        />
        <ChooseSeveral
          label={common.resource.teams}
          choices={choices?.teams.nodes ?? []}
          chosen={input.teamIds ?? []}
          set={(teamIds) => write({ teamIds })}
        />
      </div>
      <label className="radio">
        <input
          type="checkbox"
          checked={input.upstream ?? false}
          onChange={({ currentTarget }) => write({ upstream: currentTarget.checked })}
        />
        {words.ruleUpstreamToo}
      </label>
    </>
  );
}

function Recipients({ input, write }: PartProps) {
  const choices = useChoices();
  const { people, narrow } = usePeople(true);
  const isConnected = choices?.notificationSettings.chatConnected ?? false;
  const channels = useAnswer(RuleChannels, {}, { isWanted: isConnected }).data;
  return (
    <>
      <div className="line-of-fields">
        {narrow}
        <ChooseSeveral
          label={words.parts.people}
          choices={people}
          chosen={input.userIds ?? []}
          set={(userIds) => write({ userIds })}
        />
        <ChooseSeveral
          label={words.parts.groups}
          choices={choices?.groups.nodes ?? []}
          chosen={input.groupIds ?? []}
          set={(groupIds) => write({ groupIds })}
        />
        <ChooseSeveral
          label={words.ruleChannels}
          choices={channels?.chatChannels ?? []}
          chosen={input.chatChannels ?? []}
          set={(chatChannels) => write({ chatChannels })}
        />
        <ChooseSeveral
          label={words.parts.webhooks}
          choices={choices?.webhooks?.nodes ?? []}
          chosen={input.webhookIds ?? []}
          set={(webhookIds) => write({ webhookIds })}
        />
      </div>
      {choices && !choices.notificationSettings.emailEnabled && (
        <p className="quiet">{words.ruleNoEmail}</p>
      )}
    </>
  );
}

/** Email addresses, with commas between them. */
function Addresses({ text, set }: { text: string; set: (text: string) => void }) {
  return (
    <label className="choice">
      <span>{words.ruleEmails}</span>
      <input value={text} onChange={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}

function addressesIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

// The custom properties of a resource: seen by all, set and cleared by those who may.

import { useState } from 'react';
import { useAnswer } from '../../asking/use-answer.ts';
import { useMay } from '../../asking/viewer.ts';
import { byName } from '../../parts/choosing/choosable.ts';
import { Combobox } from '../../parts/choosing/combobox.tsx';
import { words } from '../../words.ts';
import { Fact } from '../fact.tsx';
import type { ResourceShown } from '../shown.ts';
import { covers } from './coverage.ts';
import { PropertiesToSet } from './properties.graphql';
import { PropertyForm } from './property-form.tsx';
import { PropertyValue } from './property-value.tsx';

/** Its values, each under the name of the property, and the others that it may have. */
export function Properties({ resource }: { resource: ResourceShown }) {
  const { customProperties } = resource;
  // Anyone who asked may change a question, but not what editors say of it.
  const mayEdit = useMay('edit_resources');
  const { data } = useAnswer(PropertiesToSet, {}, { isWanted: mayEdit });
  const [opened, setOpened] = useState<readonly string[]>([]);
  const set = customProperties.map(({ property }) => property.id);
  const others = (data?.customProperties.nodes ?? []).filter(
    (property) => covers(property, resource.kind) && !set.includes(property.id),
  );
  const nothing = { value: '', user: null, resource: null };
  const begun = others.filter(({ id }) => opened.includes(id));
  const open = (id: string) => setOpened([...opened, id]);
  return (
    <>
      {[...customProperties, ...begun.map((property) => ({ ...nothing, property }))].map((one) => {
        const { id, name } = one.property;
        return (
          <Fact key={id} name={name}>
            {opened.includes(id) && mayEdit ? (
              <PropertyForm
                resource={resource}
                property={one.property}
                now={one.value}
                nowSaid={<PropertyValue of={one} />}
                named={one.resource?.titleFull ?? ''}
                close={() => setOpened((all) => all.filter((other) => other !== id))}
              />
            ) : (
              <>
                <PropertyValue of={one} />{' '}
                {mayEdit && (
                  <button type="button" className="change" onClick={() => open(id)}>
                    {words.resource.change}
                    <span className="spoken"> {name}</span>
                  </button>
                )}
              </>
            )}
          </Fact>
        );
      })}
      {others.length > begun.length && (
        <Fact name={words.resource.otherProperties}>
          <Combobox
            label={words.resource.addProperty}
            isBare
            placeholder={`${words.resource.addProperty} …`}
            choices={byName(others.filter(({ id }) => !opened.includes(id)))}
            chosen={[]}
            set={([one]) => one && open(one.id)}
          />
        </Fact>
      )}
    </>
  );
}

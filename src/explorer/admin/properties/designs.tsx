// Custom properties: fields of one's own on resources.

import { useList } from '../../asking/use-answer.ts';
import { adminWords as words } from '../../words/admin.ts';
import { propertyWords } from '../../words/properties.ts';
import { kindName } from '../../words.ts';
import { atOnce, Part } from '../part.tsx';
import { DesignForm } from './design-form.tsx';
import { AdminProperties } from './designs.graphql';

/** All properties. */
export function Designs() {
  const list = useList(AdminProperties, {}, { atOnce, of: (data) => data.customProperties });
  return (
    <Part
      title={words.parts.properties}
      hint={propertyWords.are}
      list={list}
      makes={propertyWords.make}
      heads={[propertyWords.type, propertyWords.appliesTo]}
      cells={({ valueType, entityTypes }) => [
        propertyWords.types[valueType],
        entityTypes.includes('all')
          ? propertyWords.allKinds
          : entityTypes.map((kind) => kindName(kind, 2)).join(', '),
      ]}
      form={(property, close) => <DesignForm property={property} close={close} />}
    />
  );
}

// A custom property's value: people and resources by name, addresses as links.

import { Link } from 'wouter';
import { Pill } from '../../parts/pill.tsx';
import { words } from '../../words.ts';
import type { PropertyGiven } from '../page.graphql';

/** The value; that there is none where it is empty. */
export function PropertyValue({ of: { property, value, user, resource } }: { of: PropertyGiven }) {
  if (value === '') return <span className="quiet">{words.resource.notSet}</span>;
  if (resource) return <Link href={`/resource/${resource.id}`}>{resource.titleFull}</Link>;
  switch (property.valueType) {
    case 'user':
      return user?.name ?? value;
    case 'boolean':
      return words.resource.booleans[value === 'true' ? 'true' : 'false'];
    case 'multiselect':
      return value.split(',').map((option) => <Pill key={option} name={option} />);
    case 'url':
      return (
        <a href={value} target="_blank" rel="noopener noreferrer">
          {value}
        </a>
      );
    default:
      return <span className="as-written">{value}</span>;
  }
}

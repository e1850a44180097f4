// The values that a property has, and which of them would fit another definition of it.

import { useAnswer } from '../../asking/use-answer.ts';
import { propertyWords as words } from '../../words/properties.ts';
import { number } from '../../words.ts';
import { PropertyValues } from './designs.graphql';
import { type Design, fits } from './fits.ts';

/** How often there is a value. */
export interface Values {
  readonly total: number;
  /** Of the first thousand resources, the most frequent first; options each for themselves. */
  readonly byValue: ReadonlyMap<string, number>;
}

/** The values of a property; undefined until they are there. */
export function useValues(id: string | null): Values | undefined {
  const { data } = useAnswer(PropertyValues, { id: id ?? '' }, { isWanted: id !== null });
  if (!data) return undefined;
  const counts = new Map<string, number>();
  for (const { customProperties } of data.resources.nodes) {
    const value = customProperties.find(({ property }) => property.id === id)?.value;
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return {
    total: data.resources.totalCount,
    byValue: new Map([...counts].sort(([, a], [, b]) => b - a)),
  };
}

const mostShown = 12;

interface ValuesThereProps {
  readonly values: Values | undefined;
  readonly design: Design;
  readonly before: Design;
}

/** How often it is set; where the type or the options change, which values would not fit. */
export function ValuesThere({ values, design, before }: ValuesThereProps) {
  if (!values) return null;
  const isSame =
    design.valueType === before.valueType &&
    design.options.join('\n') === before.options.join('\n');
  if (isSame || values.total === 0) return <p className="quiet">{words.setOn(values.total)}</p>;
  const all = [...values.byValue].map(([value, count]) => ({
    ...{ value, count },
    isFit: fits(design, value),
  }));
  const wrong = all.filter(({ isFit }) => !isFit);
  return (
    <section className="converts" aria-label={words.converts}>
      <p role="status">
        {wrong.length === 0 ? words.allFit(values.total) : words.someDoNot(wrong.length)}
      </p>
      <table>
        <tbody>
          {[...wrong, ...all.filter(({ isFit }) => isFit)]
            .slice(0, mostShown)
            .map(({ value, count, isFit }) => (
              <tr key={value}>
                <td dir="auto">{value}</td>
                <td>{number(count)}</td>
                <td>
                  <span className={isFit ? 'badge good' : 'badge alarm'}>
                    {isFit ? words.fits : words.doesNotFit}
                  </span>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {all.length > mostShown && <p className="quiet">{words.more(all.length - mostShown)}</p>}
    </section>
  );
}

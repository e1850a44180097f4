// Avatars: the letters of a name on the hue of that name; the name itself stands next to it.

const hues = ['blue', 'green', 'amber', 'red', 'violet', 'pink', 'teal'] as const;

/** The hue of a name: the same wherever the name is shown. */
function hueOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return hues[sum % hues.length] ?? 'gray';
}

/** The first letters of a name's first and last word. */
function initialsOf(name: string): string {
  const parts = name.split(/[\s.@]+/u).filter((part) => part !== '');
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : [parts[0]];
  return ends
    .map((part = '') => [...part][0] ?? '')
    .join('')
    .toUpperCase();
}

/** The avatar of a person, or of a group; those who listen hear the name. */
export function Avatar({ name, isGroup = false }: { name: string; isGroup?: boolean }) {
  return (
    <span className={isGroup ? 'avatar group' : 'avatar'} data-hue={hueOf(name)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

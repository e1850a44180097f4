// The pages of the explorer as the server knows them: which address each has, what it is called, and which files it
// begins with. They are read from src/explorer/routes.tsx and from what the build made of it.

import { basename } from 'node:path';

/**
 * The pages, in the order in which an address is compared with them: `address` is a regular expression, `title` the
 * page's name, which says nothing of what it shows, and `files` what it loads besides `begun`, the files of every page.
 */
export function pagesOf(routes, outputs, begun) {
  const sources = new Map(
    [...routes.matchAll(/(\w+) = laterPage\(\s*async \(\) => \(await import\('\.\/(.+?)'\)/g)].map(
      ([, name, source]) => [name, `src/explorer/${source}`],
    ),
  );
  const shown = [...routes.matchAll(/<Route path="([^"]+)"[^<]*?(?:component=\{|<)(\w+)/g)];
  return shown.map(([, path, name]) => {
    const source = sources.get(name);
    const [file] =
      Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
    if (!file) throw new Error(`No page of the explorer is built for ${path}.`);
    return {
      address: patternOf(path),
      title: titleOf(name),
      files: [...filesFrom(file, outputs)]
        .filter((one) => !begun.has(one))
        .map((one) => basename(one)),
    };
  });
}

/** What so many pages need is better asked for at once. */
const sharedFrom = 4;

/** The sources that several pages need, or that are begun with and needed again by a page. */
export function sharedOf(outputs) {
  const inputsFrom = (file) =>
    new Set([...filesFrom(file, outputs)].flatMap((one) => Object.keys(outputs[one].inputs)));
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint);
  const [main] = entries.find(([, { entryPoint }]) => entryPoint.endsWith('main.tsx'));
  const begun = inputsFrom(main);
  const counts = new Map();
  for (const [file, { entryPoint }] of entries) {
    if (file === main) continue;
    for (const input of inputsFrom(file))
      if (input !== entryPoint) counts.set(input, (counts.get(input) ?? 0) + 1);
  }
  return [...counts].flatMap(([input, count]) =>
    count >= sharedFrom || begun.has(input) ? input : [],
  );
}

/** A file, and all that it can't begin without. */
export function filesFrom(file, outputs, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const { kind, path } of outputs[file]?.imports ?? [])
    if (kind === 'import-statement') filesFrom(path, outputs, found);
  return found;
}

function patternOf(path) {
  return `^${path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`;
}

/** `NewMonitorPage` is called "New monitor". */
function titleOf(name) {
  return name
    .replace(/Page$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

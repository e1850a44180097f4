// docs/api.md as a program reads it: its curl lines, their answers, and the names that link them.

/** One curl line of the page with the answer that is printed below it. */
export interface Example {
  /** The heading that it stands under, such as `POST /tag`. */
  readonly heading: string;
  readonly command: string;
  /** The answer: its first line, with its status, and its body. */
  readonly answer: { readonly first: string; readonly status: number; readonly text: string };
  /** Where the answer stands in the page, as lines. */
  readonly from: number;
  readonly to: number;
  /** Names that later lines use, each with its place in the answer's body: `$TAG` is `id`. */
  readonly names: Map<string, string>;
}

/** A row of the table of kinds: where a kind is served, and the body of a new one. */
export interface Kind {
  readonly path: string;
  readonly body: string;
  /** What its record has, and does not have, compared with that of a table. */
  readonly record: string;
  readonly row: string;
}

/** The page: its examples in order, its kinds, its files by name, and the text under each heading. */
export interface Page {
  readonly kinds: readonly Kind[];
  readonly examples: readonly Example[];
  readonly files: ReadonlyMap<string, string>;
  readonly sections: ReadonlyMap<string, string>;
}

/** Read the page. A block of `sh` that begins with curl is answered by the block of `http` after it. */
export function readPage(text: string): Page {
  const lines = text.split('\n');
  const examples: Example[] = [];
  const kinds: Kind[] = [];
  const files = new Map<string, string>();
  const sections = new Map<string, string>();
  let heading = '';
  let command = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, title] = /^### `(.+)`$/.exec(line) ?? [];
    if (title) heading = title;
    sections.set(heading, `${sections.get(heading) ?? ''}${line}\n`);
    const cells = line.split(' | ');
    const [, path] = /^\| `(\/[\w/]+)`/.exec(line) ?? [];
    if (path) {
      const [, body = ''] = /^`(.+)`$/.exec(cells[1] ?? '') ?? [];
      kinds.push({ path, body, record: (cells.at(-1) ?? '').replace(/ ?\|$/, ''), row: line });
    }
    const [, language, name] = /^```(\w+)(?: (\S+))?$/.exec(line) ?? [];
    if (language) {
      const end = lines.indexOf('```', at + 1);
      const block = lines.slice(at + 1, end);
      if (name) files.set(name, `${block.join('\n')}\n`);
      if (language === 'sh' && block[0]?.startsWith('curl ')) command = block.join('\n');
      if (language === 'http' && command !== '') {
        const [first = ''] = block;
        const status = Number(first.split(' ')[0]);
        const answer = { first, status, text: block.slice(2).join('\n') };
        examples.push({ heading, command, answer, from: at + 1, to: end, names: new Map() });
        command = '';
      }
      at = end;
    }
    for (const [, variable = '', place = ''] of line.matchAll(/`\$(\w+)` is `([\w.]+)`/g)) {
      examples.at(-1)?.names.set(variable, place);
    }
  }
  return { examples, kinds, files, sections };
}

/** A curl line, as the request that it makes. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | FormData | undefined;
}

/** Read a curl line. `value` gives what a variable stands for. Throws for what it does not know. */
export function readCommand(
  command: string,
  value: (variable: string) => string,
  files: ReadonlyMap<string, string>,
): Call {
  const [curl, ...words] = split(command, value);
  if (curl !== 'curl') throw new Error(`No curl line: ${command}`);
  const headers = new Headers();
  const query: string[] = [];
  let method: string | undefined;
  let url = '';
  let body: string | FormData | undefined;
  const rest = words[Symbol.iterator]();
  const next = () => String(rest.next().value);
  for (const word of rest) {
    if (word === '-X') method = next();
    else if (word === '-G') method = 'GET';
    else if (word === '-H') {
      const [name = '', ...more] = next().split(': ');
      headers.set(name, more.join(': '));
    } else if (word === '--json') {
      body = next();
      method ??= 'POST';
      headers.set('content-type', 'application/json');
    } else if (word === '--data-urlencode') {
      const [name = '', ...more] = next().split('=');
      query.push(`${name}=${encodeURIComponent(more.join('='))}`);
    } else if (word === '-F') {
      const [name = '', content = ''] = next().split('=');
      const form: FormData = body instanceof FormData ? body : new FormData();
      const file = content.replace(/^@/, '');
      if (file === content) form.append(name, content);
      else form.append(name, new Blob([files.get(file) ?? '']), file);
      body = form;
      method ??= 'POST';
    } else if (word.startsWith('-')) throw new Error(`curl ${word} is not known here.`);
    else url = word;
  }
  if (query.length > 0) url += `${url.includes('?') ? '&' : '?'}${query.join('&')}`;
  return { method: method ?? 'GET', url, headers, body };
}

/** The words of a line of the shell, with its quotes and variables. */
function split(line: string, value: (variable: string) => string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    const parts = [...word.matchAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g)];
    words.push(
      parts
        .map(([, single, double, bare]) =>
          single === undefined
            ? (double ?? bare ?? '').replaceAll(/\$(\w+)/g, (_, name: string) => value(name))
            : single,
        )
        .join(''),
    );
  }
  return words;
}

/** The names of the fields of a value, inside and out. An absent value can be anything. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return '';
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, shapeOf(inner)]));
}

/** The fields that one value has and another lacks, inside and out, as paths; of a list the first is looked at. */
export function fieldsMissing(shown: unknown, sent: unknown, path = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(sent)) {
    return shown.length > 0 && sent.length > 0 ? fieldsMissing(shown[0], sent[0], `${path}[]`) : [];
  }
  if (!isRecord(shown)) return [];
  return Object.entries(shown).flatMap(([name, inner]) =>
    isRecord(sent) && Object.hasOwn(sent, name)
      ? fieldsMissing(inner, sent[name], `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

/** A shape without the fields that another lacks, inside and out; `left` is told the name of each. */
export function shapeWithin(shape: unknown, other: unknown, left: (name: string) => void): unknown {
  if (Array.isArray(shape) && Array.isArray(other)) {
    return shape.length > 0 && other.length > 0 ? [shapeWithin(shape[0], other[0], left)] : shape;
  }
  if (!isRecord(shape) || !isRecord(other)) return shape;
  const entries = Object.entries(shape).flatMap(([name, inner]): [string, unknown][] => {
    if (Object.hasOwn(other, name)) return [[name, shapeWithin(inner, other[name], left)]];
    left(name);
    return [];
  });
  return Object.fromEntries(entries);
}

/** Answers as the page prints them: fields that it has shown already are not printed a second time. */
export function printer(): (heading: string, status: string, body: unknown) => string {
  const shown: { heading: string; record: Record<string, unknown> }[] = [];
  return (heading, status, body) => {
    if (body === '') return status;
    // Before the first operation the page says what holds everywhere: there it shows all of an answer.
    if (heading === '') return `${status}\n\n${inLines(body)}`;
    const record = isPage(body) ? body.results[0] : body;
    if (!isRecord(record) || Object.keys(record).length < 5) {
      return `${status}\n\n${inLines(firstItems(isPage(body) ? { results: body.results } : body))}`;
    }
    const [nearest] = shown
      .map((one) => ({ heading: one.heading, ...differenceOf(one.record, record) }))
      .sort((one, other) => one.count - other.count);
    if (nearest?.count !== 0) shown.push({ heading, record });
    if (!nearest || nearest.count > Object.keys(record).length / 3) {
      return `${status}\n\n${inLines(firstItems(isPage(body) ? { results: [record] } : record))}`;
    }
    const { missing, added } = nearest;
    const without = missing.length > 0 ? `, without ${missing.join(', ')}` : '';
    const like = `${isPage(body) ? 'a page as' : 'as'} \`${nearest.heading}\`${without}`;
    if (Object.keys(added).length === 0) return `${status}: ${like}`;
    return `${status}: ${like}, with\n\n${inLines(firstItems(added))}`;
  };
}

/** What a record lacks of another one, and has that the other one lacks or shows without its inner fields. */
function differenceOf(shown: Record<string, unknown>, record: Record<string, unknown>) {
  const missing = Object.keys(shown).filter((name) => !Object.hasOwn(record, name));
  const added = Object.entries(record).filter(
    ([name, value]) =>
      !Object.hasOwn(shown, name) ||
      fieldsMissing(value, shown[name]).length + fieldsMissing(shown[name], value).length > 0,
  );
  return { missing, added: Object.fromEntries(added), count: missing.length + added.length };
}

/** A page of a list. */
function isPage(body: unknown): body is { results: unknown[] } {
  return isRecord(body) && Array.isArray(body.results);
}

/** A value with the first item of each list. */
function firstItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(firstItems);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [name, firstItems(inner)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON that fits the page: as many fields in a line as it holds. */
function inLines(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= width) {
    return flat;
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = `${indent}  `;
  const items = Object.entries(value).map(([name, one]) =>
    Array.isArray(value) ? inLines(one, inner) : `${JSON.stringify(name)}: ${inLines(one, inner)}`,
  );
  const lines: string[] = [];
  let line = '';
  items.forEach((item, at) => {
    const text = at < items.length - 1 ? `${item},` : item;
    const fits = !item.includes('\n') && `${inner}${line} ${text}`.length <= width;
    if (line !== '' && fits) line += ` ${text}`;
    else {
      if (line !== '') lines.push(inner + line);
      line = text;
    }
  });
  lines.push(inner + line);
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}

const width = 98;

/** Whether two answers differ, if at all, in what each run makes up: ids, times, keys, secrets, durations. */
export function isSameAnswer(one: string, other: string): boolean {
  return withoutMadeUp(one) === withoutMadeUp(other);
}

const madeUp: readonly RegExp[] = [
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
  /\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g,
  /\bhw[a-z]_\w+/g,
  /\b\d+(\.\d+)? m?s\b/g,
  /\b[0-9a-f]{32,}\b/g,
];

/** Also without blanks: where a line ends depends on how long such values are. */
function withoutMadeUp(text: string): string {
  return madeUp
    .reduce((rest, pattern) => rest.replaceAll(pattern, '?'), text)
    .replaceAll(/\s/g, '');
}

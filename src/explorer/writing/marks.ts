// The marks of Markdown that the toolbar and the keys of the editor put into a text.

/** What is chosen in a text. */
export interface Chosen {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A replacement in a text, and what is chosen after it. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Marks around what is chosen. */
const around = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  code: ['`', '`'],
  link: ['[', '](https://)'],
} as const;

/** Marks at the beginning of each line that is chosen. */
const before = {
  heading: () => '## ',
  bullets: () => '- ',
  numbers: (at: number) => `${at + 1}. `,
  tasks: () => '- [ ] ',
  quote: () => '> ',
} as const;

/** What is put where the caret stands. */
const blocks = {
  table: '\n| Name | Meaning |\n| --- | --- |\n|  |  |\n',
  mention: '@',
  resource: '[[',
} as const;

/** A tool of the editor. */
export type Tool = keyof typeof around | keyof typeof before | keyof typeof blocks;

/** The tools that have a key, pressed with Ctrl. */
export const toolByKey: Readonly<Record<string, Tool>> = {
  b: 'bold',
  i: 'italic',
  e: 'code',
  k: 'link',
};

/** What a tool does to a text: a second time it takes away what it did. */
export function replacementBy(tool: Tool, chosen: Chosen): Replacement {
  if (isIn(around, tool)) return withMarks(chosen, around[tool]);
  if (isIn(before, tool)) return withLines(chosen, before[tool]);
  const { start, end } = chosen;
  const text = blocks[tool];
  return { from: start, to: end, text, start: start + text.length, end: start + text.length };
}

function isIn<Names extends object>(names: Names, tool: PropertyKey): tool is keyof Names {
  return Object.hasOwn(names, tool);
}

function withMarks(
  { value, start, end }: Chosen,
  [open, close]: readonly [string, string],
): Replacement {
  const text = value.slice(start, end);
  const [from, to] = [start - open.length, end + close.length];
  if (value.slice(Math.max(0, from), start) === open && value.slice(end, to) === close) {
    return { from, to, text, start: from, end: from + text.length };
  }
  const inner = start + open.length;
  return {
    from: start,
    to: end,
    text: open + text + close,
    start: inner,
    end: inner + text.length,
  };
}

/** What the lines that are chosen begin with already. */
const begun = /^(?:#{1,6} |- \[[ x]\] |[-*] |\d+\. |> )/;

function withLines({ value, start, end }: Chosen, mark: (at: number) => string): Replacement {
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const next = value.indexOf('\n', end);
  const to = next < 0 ? value.length : next;
  const lines = value.slice(from, to).split('\n');
  const isMarked = lines.every((line, at) => line.startsWith(mark(at)));
  const text = lines
    .map((line, at) => (isMarked ? '' : mark(at)) + line.replace(begun, ''))
    .join('\n');
  const isOne = lines.length === 1;
  const last = from + text.length;
  return { from, to, text, start: isOne ? last : from, end: last };
}

/** Put a replacement into a field. It can be undone there, which writing the value would end. */
export function applyTo(field: HTMLTextAreaElement, replacement: Replacement): void {
  const { from, to, text, start, end } = replacement;
  field.focus();
  field.setSelectionRange(from, to);
  const did = document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  if (!did) field.setRangeText(text, from, to);
  field.setSelectionRange(start, end);
}

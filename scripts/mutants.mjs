// The small changes of meaning that `npm run mutate` tries: what decides, in TypeScript and in the SQL within it.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Installed with the tools; an import would ask for it before they are. */
const { parseSync } = createRequire(
  fileURLToPath(new URL('../tools/package.json', import.meta.url)),
)('oxc-parser');

const operators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};
const methods = { min: 'max', max: 'min', some: 'every', every: 'some' };

/** A word of SQL, and what it becomes. */
const words = [
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/\b(?:lower|upper)\(/g, '('],
  [/\bbool_or\(/g, 'bool_and('],
  [/\bbool_and\(/g, 'bool_or('],
  [/(?<!\bbetween \S* ?)\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\basc\b/g, 'desc'],
  [/\bdesc\b/g, 'asc'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bis distinct from\b/g, '<>'],
  [/\bnot exists\b/g, 'exists'],
  [/\bnot in\b/g, 'in'],
  [/\bnulls last\b/g, 'nulls first'],
  [/\bnulls first\b/g, 'nulls last'],
  [/\bleft join\b/g, 'join'],
  [/\bselect distinct (?!on\b)/g, 'select '],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )<>(?= )/g, '='],
];

/** A text that is SQL by itself, where no tag says so. */
const sql =
  /\b(?:select\b[\s\S]*\bfrom|insert into|delete from|update \w+ set|order by|group by|left join|is (?:not )?null)\b/;

/** Every change of a file: from where to where, and what stands there instead. */
export function mutantsOf(path, source) {
  const mutants = [];
  const change = (start, end, to) => {
    const before = source.slice(0, start).split('\n');
    const code = `${before.at(-1)}[${source.slice(start, end)} -> ${to}]${source.slice(end).split('\n', 1)}`;
    mutants.push({ start, end, to, line: before.length, code: code.trim() });
  };
  const text = (start, end) => {
    for (const [pattern, to] of words) {
      for (const { 0: found, index } of source.slice(start, end).matchAll(pattern)) {
        const line = source.slice(source.lastIndexOf('\n', start + index) + 1, start + index);
        if (!line.includes('--')) change(start + index, start + index + found.length, to);
      }
    }
  };
  walk(parseSync(path, source).program, (node) => {
    changesOf(node, source, change, text);
  });
  return mutants;
}

function changesOf(node, source, change, text) {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      if (node.operator === '??') {
        change(node.left.start, node.right.start, '');
        return number(node.right, change);
      }
      const start = source.indexOf(node.operator, node.left.end);
      const to = operators[node.operator];
      if (to) change(start, start + node.operator.length, to);
      return;
    }
    case 'UnaryExpression':
      if (node.operator === '!') change(node.start, node.start + 1, '');
      return;
    case 'Literal':
      if (typeof node.value === 'boolean') change(node.start, node.end, String(!node.value));
      if (typeof node.value === 'string' && sql.test(node.value)) text(node.start, node.end);
      return;
    case 'AssignmentPattern':
      return number(node.right, change);
    case 'CallExpression':
      return changesOfCall(node, change);
    case 'TaggedTemplateExpression':
      if (source.slice(node.tag.start, node.tag.end) === 'Prisma.sql')
        for (const { start, end } of node.quasi.quasis) text(start, end);
      node.quasi.isTagged = true;
      return;
    case 'TemplateLiteral':
      if (!node.isTagged && sql.test(source.slice(node.start, node.end)))
        for (const { start, end } of node.quasis) text(start, end);
  }
}

function changesOfCall({ callee, arguments: given }, change) {
  if (callee.type !== 'MemberExpression' || callee.computed) return;
  const { name, start, end } = callee.property;
  if (Object.hasOwn(methods, name)) change(start, end, methods[name]);
  // The end of a slice, one further.
  if (name === 'slice' && given.length === 2) change(given[1].end, given[1].end, ' + 1');
  if (name === 'default' && given.length === 1) number(given[0], change);
}

/** A number that holds where none was given. */
function number(node, change) {
  if (node.type === 'Literal' && typeof node.value === 'number')
    change(node.start, node.end, String(node.value === 0 ? 1 : node.value * 2));
}

/** Calls `visit` with every node of the program that is no type, outer ones first. */
function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit);
    return;
  }
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return;
  visit(node);
  for (const child of Object.values(node)) walk(child, visit);
}

// Words that queries are made of: which name a kind, which say nothing, and which mean the same.

import type { Kind } from '../kind.ts';

const kindsByWord: Readonly<Record<string, readonly Kind[]>> = {
  ...{ table: ['table'], view: ['table'], model: ['table'], dataset: ['table', 'schema'] },
  ...{ column: ['column'], field: ['column'], attribute: ['column'] },
  ...{ dashboard: ['dashboard'], report: ['dashboard', 'chart'], folder: ['dashboard_group'] },
  ...{ chart: ['chart'], graph: ['chart'], tile: ['chart'], plot: ['chart'] },
  ...{ metric: ['chart', 'glossary'], kpi: ['chart', 'glossary'], measure: ['chart', 'column'] },
  ...{ query: ['query'], sql: ['query'], document: ['document'], doc: ['document'] },
  ...{ page: ['document'], documentation: ['document'], runbook: ['document'] },
  ...{ guide: ['document'], policy: ['document'], glossary: ['glossary'], term: ['glossary'] },
  ...{ definition: ['glossary'], schema: ['schema'], database: ['database'], db: ['database'] },
  ...{ job: ['job'], pipeline: ['job'], dag: ['job'], event: ['event'], question: ['question'] },
  ...{ property: ['event_property'], collection: ['collection'] },
};

/** The kinds that a word names in the singular; none where it names none. */
export function kindsNamed(word: string): readonly Kind[] {
  return Object.hasOwn(kindsByWord, word) ? (kindsByWord[word] ?? []) : [];
}

/** Types of a source that people name as they name kinds. */
export const nativeTypes: ReadonlySet<string> = new Set([
  ...['view', 'snapshot', 'seed', 'source', 'incremental', 'ephemeral', 'model'],
]);

/** Words of questions, and those that stand between others: they say nothing of what is meant. */
export const stopWords = listed(`
  a an the of for in on at to by from with without within into about as and or is are was were be been am do does did
  done can could should would may might will i we me my our you your us it its this that these those there here who
  whom whose what which where when why how show find list get give tell see look search need want have has had any all
  some please let lets not no if than then also per`);

/** Words that ask for a side of something: they count where they stand, and are not needed. */
export const softWords = listed(`
  defined define defines mean means meaning definition owns own owned owner owners manage manages managed maintain
  maintains responsible computed compute calculated calculate calculates stored store stores contain contains containing
  hold holds holding using use uses used data information info running run runs keep keeps kept build built called named
  related shows showing track tracks tracked come comes exist exists saved`);

function listed(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Words for one thing, as teams shorten and call it. */
const groups = [
  ...[
    ['revenue', 'sales'],
    ['churn', 'attrition'],
    ['qty', 'quantity'],
    ['amt', 'amount'],
  ],
  ...[
    ['cust', 'customer'],
    ['addr', 'address'],
    ['acct', 'account'],
    ['txn', 'transaction'],
  ],
  ...[
    ['dept', 'department'],
    ['emp', 'employee'],
    ['mgr', 'manager'],
    ['org', 'organization'],
  ],
  ...[
    ['ts', 'timestamp'],
    ['dt', 'date'],
    ['num', 'number'],
    ['pct', 'percent'],
    ['avg', 'average'],
  ],
  ...[
    ['cnt', 'count'],
    ['desc', 'description'],
    ['cat', 'category'],
    ['inv', 'invoice'],
  ],
  ...[
    ['prod', 'product'],
    ['env', 'environment'],
    ['cfg', 'config'],
    ['msg', 'message'],
  ],
] as const;

const sameByWord = new Map<string, readonly string[]>();
for (const group of groups)
  for (const one of group)
    sameByWord.set(
      one,
      group.filter((other) => other !== one),
    );

/** Other words for a word. */
export function synonymsOf(word: string): readonly string[] {
  return sameByWord.get(word) ?? [];
}

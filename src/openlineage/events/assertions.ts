// Checks of data and their results, as two facets say them.

import { nameOf, textLimits } from './dataset-name.ts';
import { compact, itemsOf, membersOf, textOf } from './loose.ts';

/** A check of data and its result. */
export interface Assertion {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly status: 'pass' | 'fail' | 'skipped';
  readonly severity?: 'warn' | undefined;
  readonly column?: string | undefined;
  readonly message?: string | undefined;
  readonly description?: string | undefined;
}

const most = 1_000;

/** What the facet `dataQualityAssertions` says. */
export function assertionsOf(facet: unknown): Assertion[] {
  return itemsOf(membersOf(facet).assertions, most).flatMap((one) => {
    const { assertion, success, column, severity, name, description } = membersOf(one);
    const kind = textOf(assertion, textLimits.word);
    if (kind === undefined || typeof success !== 'boolean') return [];
    return [
      compact({
        name: textOf(name, textLimits.word) ?? kind,
        kind,
        status: success ? ('pass' as const) : ('fail' as const),
        severity: severityOf(severity),
        column: nameOf(column),
        description: textOf(description, textLimits.name),
      }),
    ];
  });
}

/** What one of the facet `test` is. */
function testOf(one: unknown): Assertion[] {
  const { name, status, severity, type, description, expected, actual, params } = membersOf(one);
  const title = nameOf(name);
  if (title === undefined) return [];
  const word = textOf(status, 40)?.toLowerCase() ?? '';
  const [wanted, found] = [textOf(expected, 200), textOf(actual, 200)];
  return [
    compact({
      name: title,
      kind: textOf(type, textLimits.word),
      status: /^(pass|success|succeeded|ok)/.test(word)
        ? ('pass' as const)
        : /^(fail|error|warn)/.test(word)
          ? ('fail' as const)
          : ('skipped' as const),
      severity: word.startsWith('warn') ? ('warn' as const) : severityOf(severity),
      column: nameOf(membersOf(params).column_name),
      message:
        wanted === undefined || found === undefined
          ? undefined
          : `Expected ${wanted}, found ${found}.`,
      description: textOf(description, textLimits.name),
    }),
  ];
}

const severityOf = (given: unknown) =>
  textOf(given, 40)?.toLowerCase().startsWith('warn') ? ('warn' as const) : undefined;

/** What the facet `test` of a run says. */
export function testsOf(facet: unknown): Assertion[] {
  return itemsOf(membersOf(facet).tests, most).flatMap(testOf);
}

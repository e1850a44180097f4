// The closed sets of words about SQL that was read, as GraphQL types them.

import { closedSet } from '../../graphql/views/closed-set.ts';
import type { Diagnostic, OutputColumn, StatementKind, UnresolvedColumn } from '../sql/answer.ts';

export const UnresolvedReasonEnum = closedSet<UnresolvedColumn['reason']>('UnresolvedReason', {
  description: 'Why the table of a column cannot be determined.',
  values: {
    AMBIGUOUS: 'Several tables may have it.',
    UNKNOWN: 'No table has it, or there is no table to look in.',
  },
});

export const OutputOriginEnum = closedSet<OutputColumn['from']>('OutputOrigin', {
  description: 'What a column that comes out of a statement is made of.',
  values: {
    COLUMNS: 'Columns, which are its sources.',
    CONSTANT: 'Literals, parameters or functions without columns.',
    ROWS: 'Rows alone, such as count(*).',
    EXTERNAL: 'What lies in no table, such as a staged file or a variable.',
    UNRESOLVED: 'Columns whose table cannot be determined.',
  },
});

export const DiagnosticCodeEnum = closedSet<Diagnostic['code']>('SqlDiagnosticCode', {
  description: 'What there is to know about a statement that is no error.',
  values: {
    UNKNOWN_TABLE: 'The columns of a table are not known.',
    AMBIGUOUS_TABLE: 'Several tables of the catalog have the name.',
    UNEXPANDED_STAR: 'A star stands for columns that are not known.',
    SKIPPED: 'A statement was left out.',
    REWRITTEN: 'A statement was read in another form than it was written in.',
    INCOMPLETE: 'A part of a statement could not be read.',
    CASE_DIFFERS: 'A name differs from that of the catalog in its case.',
    TOO_LARGE: 'A statement is too large to be read as a whole.',
  },
});

export const StatementKindEnum = closedSet<StatementKind>('StatementKind', {
  description: 'What a statement does.',
  values: {
    SELECT: 'It reads.',
    INSERT: 'It adds rows.',
    CREATE_TABLE: 'It makes a table.',
    CREATE_VIEW: 'It makes a view.',
    UPDATE: 'It changes rows.',
    MERGE: 'It adds, changes or deletes rows by comparing them to others.',
    DELETE: 'It deletes rows.',
    COPY: 'It loads or unloads files.',
    ALTER_TABLE: 'It changes a table itself.',
    DROP: 'It drops a table or view.',
    OTHER: 'Something else.',
  },
});

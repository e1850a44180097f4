// The settings of a metric, as the form of a monitor holds them.

/** The settings as they are written; empty where there are none. */
export interface Config {
  /** What is asked where the metric is a query of one's own; of freshness the newest time. */
  readonly querySelect: string;
  /** The accepted values, one a line; the columns of a key likewise. */
  readonly values: string;
  readonly keyColumns: string;
  readonly pattern: string;
  /** The id of a column. */
  readonly references: string;
  readonly timeColumn: string;
  /** The column that shows freshness. */
  readonly timestampColumn: string;
  /** A condition that narrows what is measured. */
  readonly where: string;
  readonly dimension: string;
  /** Patterns of tables of a schema or database, one a line. */
  readonly exclude: string;
  /** The second query of a comparison, the id of its source unless that is the same, and how they are compared. */
  readonly otherQuery: string;
  readonly otherIntegration: string;
  readonly compareBy: string;
}

/** The settings of a new monitor. */
export const noConfig: Config = {
  ...{ querySelect: '', values: '', keyColumns: '', pattern: '', references: '' },
  ...{ timeColumn: '', timestampColumn: '', where: '', dimension: '', exclude: '' },
  ...{ otherQuery: '', otherIntegration: '', compareBy: 'difference' },
};

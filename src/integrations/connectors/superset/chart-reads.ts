// What a chart of Superset reads of its dataset: the columns and metrics that its settings name, and expressions of its own.

/** What a chart names: columns and metrics of its dataset, and SQL of its own. */
export interface ChartReads {
  readonly names: ReadonlySet<string>;
  readonly expressions: readonly string[];
}

/** Settings whose texts name columns or metrics; of the second query of a chart they end in `_b`. */
const naming: ReadonlySet<string> = new Set([
  ...['groupby', 'columns', 'all_columns', 'all_columns_x', 'all_columns_y', 'series', 'entity'],
  ...['x_axis', 'granularity_sqla', 'metric', 'metrics', 'metric_2', 'secondary_metric'],
  ...['percent_metrics', 'timeseries_limit_metric', 'series_limit_metric', 'size', 'x', 'y'],
  ...['groupbyColumns', 'groupbyRows', 'dimension', 'dimensions', 'source', 'target'],
  ...['order_by_cols', 'column_name', 'subject', 'geojson', 'latitude', 'longitude'],
]);
const maxDepth = 40;

/** Collect what the settings of a chart name, anywhere in them. */
export function readsOf(params: string): ChartReads {
  const names = new Set<string>();
  const expressions = new Set<string>();
  const visit = (value: unknown, isName: boolean, depth: number): void => {
    if (depth > maxDepth) return;
    if (typeof value === 'string') {
      if (isName) names.add(orderedColumn(value));
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, isName, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (key === 'sqlExpression' && typeof item === 'string' && item.trim() !== '') {
          expressions.add(item);
        } else visit(item, naming.has(key.replace(/_b$/, '')), depth + 1);
      }
    }
  };
  visit(parsedOrNull(params), false, 0);
  return { names, expressions: [...expressions] };
}

/** A column to sort by is written as the text `["name", true]`. */
function orderedColumn(text: string): string {
  const parsed = text.startsWith('[') ? parsedOrNull(text) : null;
  const [name] = Array.isArray(parsed) ? parsed : [];
  return typeof name === 'string' ? name : text;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

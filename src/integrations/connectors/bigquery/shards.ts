// Tables that are one, a table for each day: `events_20260301` is a shard of `events_*`, as wildcard queries write it.

/** The name of a table, that of all its shards for one of them, as an expression of `table_name`. */
export const shardSql = String.raw`REGEXP_REPLACE(table_name, r'^(.+_)(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$', r'\1*')`;

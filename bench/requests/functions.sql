-- What PostGraphile shows beside the tables: one function for a lineage graph, and owners and tags of a table.

create type bench_node as (row_id uuid, title text, kind text, depth int);
create type bench_edge as (row_id uuid, source_id uuid, target_id uuid);
create type bench_graph as (nodes bench_node[], edges bench_edge[]);

create function bench_lineage(start uuid, depth int) returns bench_graph language sql stable as $$
  with recursive up(id, depth) as (
      select start, 0
      union
      select e.source_id, up.depth + 1 from up join lineage_edge e on e.target_id = up.id
        where e.level = 'TABLE' and e.valid_to is null and up.depth < bench_lineage.depth),
    down(id, depth) as (
      select start, 0
      union
      select e.target_id, down.depth + 1 from down join lineage_edge e on e.source_id = down.id
        where e.level = 'TABLE' and e.valid_to is null and down.depth < bench_lineage.depth),
    reached as (
      select id, min(depth) as depth from (select * from up union all select * from down) b group by id)
  select row(
    (select array_agg(row(r.id, r.title, r.kind, n.depth)::bench_node order by n.depth, r.id)
      from reached n join resource r on r.id = n.id where not r.archived),
    (select array_agg(row(e.id, e.source_id, e.target_id)::bench_edge)
      from reached n join lineage_edge e on e.source_id = n.id
      where e.level = 'TABLE' and e.valid_to is null and e.target_id in (select id from reached))
  )::bench_graph
$$;

create function resource_bench_owners(r resource) returns setof user_account language sql stable as $$
  select u.* from user_account u where u.workspace_id = r.workspace_id and u.id = any(r.owner_ids)
$$;

create function resource_bench_tags(r resource) returns setof tag language sql stable as $$
  select t.* from tag t where t.workspace_id = r.workspace_id and t.id = any(r.tag_ids)
$$;

-- What the web shop of the sample notes of each day: views that follow the calendar, so that the
-- source is alive without anybody who feeds it. A day shows what was noted on the day before.

-- The day that is looked at, counted from 1970, in UTC; who loads the sample looks at earlier ones.
create macro today() as coalesce(getvariable('day'), epoch(now())::bigint // 86400);
-- Days since the sample was loaded: it looks alike whenever that is.
create macro since(day) as day - broken_at();
create macro is_weekend(day) as (day + 3) % 7 >= 5;
-- From -1 to 1, the same for a day whenever it is asked.
create macro noise(day, salt) as
  2 * ((abs(sin(since(day) * 12.9898 + salt * 78.233)) * 43758.5453) % 1) - 1;
-- The same for the row of a day, from 0 to 1.
create macro chance(day, row_number, salt) as
  (abs(sin(day * 3.7 + row_number * 12.9898 + salt * 78.233)) * 43758.5453) % 1;
create macro moment(day, row_number, rows_a_day) as
  make_timestamp(((day - 1) * 86400000000 + row_number * 86400000000 // rows_a_day)::bigint);

create view visits as
with size as (
  select today() as day,
    round(if(is_weekend(today()), 860, 610) * (1 + 0.03 * noise(today(), 1)))::integer as n),
numbered as (select day, n, unnest(range(n)) as i from size)
select day * 10000 + i as visit_id,
  moment(day, i, n) as started_at,
  if(chance(day, i, 2) < 0.64, 'phone', 'desktop') as device,
  round(20 + 200 * chance(day, i, 3)) as duration_seconds
from numbered;

create view searches as
with size as (
  select today() as day,
    round(if(is_weekend(today()), 330, 240) * (1 + 0.03 * noise(today(), 4)))::integer as n),
numbered as (select day, n, unnest(range(n)) as i from size)
select day * 10000 + i as search_id,
  moment(day, i, n) as searched_at,
  -- For two days the search box sent its words under another name.
  if(i < n * (if(since(day) between -24 and -23, 0.21, 0.03) + 0.004 * noise(day, 5)),
    null, 'word ' || i % 40) as words,
  if(i < n * (0.06 + 0.006 * noise(day, 6)), 0, i % 30 + 1)::integer as results
from numbered;

create view carts as
with size as (
  select today() as day,
    round(if(is_weekend(today()), 190, 130) * (1 + 0.03 * noise(today(), 7)))::integer as n),
numbered as (select day, n, unnest(range(n)) as i from size)
select day * 10000 + i as cart_id,
  moment(day, i, n) as opened_at,
  make_timestamp((day * 86400000000 + 40000000 + 20000000 * noise(day, 8))::bigint) as loaded_at,
  -- Since two days before the sample was loaded, half of the amounts are in cents.
  round(if(since(day) between -1 and 0 and i % 2 = 0, 100, 1)
    * (44 + 30 * (i / n - 0.5) + 0.8 * noise(day, 9)), 2) as amount_eur,
  i < n * (0.62 + 0.01 * noise(day, 10)) as is_paid
from numbered;

comment on view visits is 'Visits of the web shop on the day before';
comment on view searches is 'What visitors looked for on the day before';
comment on view carts is 'Carts that were opened on the day before, paid or not';
comment on column visits.started_at is 'When the first page was shown';
comment on column searches.words is 'What was typed in, without the name of who did';
comment on column searches.results is 'How many products were found';
comment on column carts.loaded_at is 'When the nightly load brought the row';
comment on column carts.amount_eur is 'Goods in the cart, in euro';

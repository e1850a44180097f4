-- Until when nobody is told of a monitor's new incidents. It says nothing of what the monitor measures, so it is no part of
-- the version that two editors of its settings go by.
ALTER TABLE "monitor" ADD COLUMN "muted_until" TIMESTAMPTZ(3);

-- A young catalog's sample says that three resources hold all others, and the planner then reads every column of the
-- workspace for each that it descends to. A parent holds about twenty, whatever the sample says.
ALTER TABLE "resource" ALTER COLUMN "parent_id" SET (n_distinct = -0.05);

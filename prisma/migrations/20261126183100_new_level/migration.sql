-- A person may say that a level is the new normal.
ALTER TABLE "measurement" ADD COLUMN "new_level" BOOLEAN NOT NULL DEFAULT false;

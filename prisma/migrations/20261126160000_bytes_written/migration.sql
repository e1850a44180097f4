-- How many bytes a key wrote on the last day on which it wrote, where that is limited.
ALTER TABLE "write_count" ADD COLUMN "day" TIMESTAMPTZ(3),
ADD COLUMN "bytes" BIGINT NOT NULL DEFAULT 0;

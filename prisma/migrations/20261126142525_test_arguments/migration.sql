-- AlterTable
ALTER TABLE "data_test" ADD COLUMN     "arguments" JSONB,
ADD COLUMN     "skipped_at" TIMESTAMPTZ(3);

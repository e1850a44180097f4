-- AlterTable
ALTER TABLE "learner_snapshot" ADD COLUMN     "segments" TEXT;

-- AlterTable
ALTER TABLE "measurement" ADD COLUMN     "segments" JSONB;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN     "is_service" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN     "previous_secret" TEXT,
ADD COLUMN     "previous_until" TIMESTAMPTZ(3);

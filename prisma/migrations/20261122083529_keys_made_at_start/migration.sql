-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "made_at_start" BOOLEAN NOT NULL DEFAULT false;

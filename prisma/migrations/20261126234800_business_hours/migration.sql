-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "held_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "notification_rule" ADD COLUMN     "hours_days" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "hours_from" INTEGER,
ADD COLUMN     "hours_until" INTEGER,
ADD COLUMN     "metric_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "monitor_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "severities" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "holiday_country" TEXT,
ADD COLUMN     "time_zone" TEXT;

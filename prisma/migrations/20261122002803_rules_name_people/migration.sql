-- AlterTable
ALTER TABLE "notification_rule" DROP COLUMN "tell_owners",
DROP COLUMN "tell_subscribers",
ADD COLUMN     "group_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "user_ids" UUID[] DEFAULT ARRAY[]::UUID[];

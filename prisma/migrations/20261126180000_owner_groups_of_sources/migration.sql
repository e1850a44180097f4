-- AlterTable
ALTER TABLE "resource_claim" ADD COLUMN     "owner_group_ids" UUID[];

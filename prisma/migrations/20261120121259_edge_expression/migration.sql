-- AlterTable
ALTER TABLE "lineage_edge" ADD COLUMN     "expression" TEXT;

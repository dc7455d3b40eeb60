-- DropForeignKey
ALTER TABLE "Checklist" DROP CONSTRAINT "Checklist_teamId_fkey";

-- AlterTable
ALTER TABLE "Checklist" ADD COLUMN     "ownerId" TEXT;

-- AlterTable
ALTER TABLE "ItemRevision" ALTER COLUMN "isReversible" DROP NOT NULL,
ALTER COLUMN "reviewBy" DROP NOT NULL;

-- AlterTable
ALTER TABLE "Comparison" ADD COLUMN     "noteId" TEXT,
ALTER COLUMN "trialId" DROP NOT NULL;

-- AlterTable
ALTER TABLE "Note" ADD COLUMN     "digest" TEXT,
ADD COLUMN     "measuredOn" DATE,
ADD COLUMN     "measurementDigest" TEXT;

-- CreateIndex
CREATE INDEX "Comparison_noteId_idx" ON "Comparison"("noteId");

-- AddForeignKey
ALTER TABLE "Checklist" ADD CONSTRAINT "Checklist_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Checklist" ADD CONSTRAINT "Checklist_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comparison" ADD CONSTRAINT "Comparison_noteId_fkey" FOREIGN KEY ("noteId") REFERENCES "Note"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



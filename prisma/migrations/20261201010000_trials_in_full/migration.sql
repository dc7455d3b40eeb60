-- CreateEnum
CREATE TYPE "ComputationCause" AS ENUM ('CREATED', 'EXTENDED', 'OVERRIDDEN', 'OVERRIDE_WITHDRAWN', 'RECOMPUTED', 'IMPORTED');

-- AlterTable
ALTER TABLE "Observation" ADD COLUMN     "summary" JSONB;

-- AlterTable
ALTER TABLE "Trial" ADD COLUMN     "isSaidControl" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "looks" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "overriddenAt" TIMESTAMPTZ(3),
ADD COLUMN     "overriddenById" TEXT,
ADD COLUMN     "overriddenByName" TEXT,
ADD COLUMN     "overrideReason" TEXT,
ADD COLUMN     "plannedRunsPerArm" INTEGER;

-- AlterTable
ALTER TABLE "Comparison" ADD COLUMN     "cause" "ComputationCause" NOT NULL DEFAULT 'CREATED';

-- AlterTable
ALTER TABLE "NoiseFloor" ADD COLUMN     "facts" JSONB,
ADD COLUMN     "trialId" TEXT;

-- CreateIndex
CREATE INDEX "Trial_overriddenById_idx" ON "Trial"("overriddenById");

-- CreateIndex
CREATE INDEX "NoiseFloor_trialId_idx" ON "NoiseFloor"("trialId");

-- AddForeignKey
ALTER TABLE "Trial" ADD CONSTRAINT "Trial_overriddenById_fkey" FOREIGN KEY ("overriddenById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoiseFloor" ADD CONSTRAINT "NoiseFloor_trialId_fkey" FOREIGN KEY ("trialId") REFERENCES "Trial"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A control is one that somebody said, unless all runs of both arms name one variant and nothing was declared: then the
-- arms tell it.
UPDATE "Trial" AS t SET "isSaidControl" = true
WHERE t."isControl" AND NOT (
  cardinality(t."variable") = 0 AND EXISTS (
    SELECT FROM "TrialRun" tr JOIN "Run" r ON r."id" = tr."runId" WHERE tr."trialId" = t."id"
    HAVING count(r."variant") = count(*) AND count(DISTINCT r."variant") = 1
  )
);

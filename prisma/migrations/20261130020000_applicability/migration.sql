-- AlterTable
ALTER TABLE "HardwareProfile" ADD COLUMN     "isGeneric" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "printed" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "EnvironmentKey" ADD COLUMN     "isClosed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "least" INTEGER,
ADD COLUMN     "values" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "Audit" ADD COLUMN     "scopeFacts" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "scopeHardwareId" TEXT,
ADD COLUMN     "scopedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "AuditItem" ADD COLUMN     "isPast" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "overruledAt" TIMESTAMPTZ(3),
ADD COLUMN     "overruledById" TEXT;

-- AlterTable
ALTER TABLE "ItemRevision" ADD COLUMN     "recheckOn" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_scopeHardwareId_fkey" FOREIGN KEY ("scopeHardwareId") REFERENCES "HardwareProfile"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_overruledById_fkey" FOREIGN KEY ("overruledById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;


-- Audits that are there were scoped when they were opened, by the environment as it is: it could not be changed.
UPDATE "Audit" SET "scopedAt" = "createdAt";
UPDATE "Audit" SET "scopeFacts" = "Environment"."facts", "scopeHardwareId" = "Environment"."hardwareId"
FROM "Environment" WHERE "Environment"."id" = "Audit"."environmentId";

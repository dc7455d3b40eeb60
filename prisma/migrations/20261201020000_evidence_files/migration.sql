-- AlterTable
ALTER TABLE "Evidence" ADD COLUMN     "createdById" TEXT;

-- CreateTable
CREATE TABLE "Attachment" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "auditItemId" TEXT,
    "trialId" TEXT,
    "runId" TEXT,
    "sha256" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "caption" TEXT,
    "createdById" TEXT,
    "createdByName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "detachedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Attachment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Attachment_auditItemId_idx" ON "Attachment"("auditItemId");

-- CreateIndex
CREATE INDEX "Attachment_trialId_idx" ON "Attachment"("trialId");

-- CreateIndex
CREATE INDEX "Attachment_runId_idx" ON "Attachment"("runId");

-- CreateIndex
CREATE INDEX "Attachment_projectId_idx" ON "Attachment"("projectId");

-- AddForeignKey
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_auditItemId_fkey" FOREIGN KEY ("auditItemId") REFERENCES "AuditItem"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_trialId_fkey" FOREIGN KEY ("trialId") REFERENCES "Trial"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- It hangs on one thing, and no thing has the same bytes twice.
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_of_one" CHECK (num_nonnulls("auditItemId", "trialId", "runId") = 1);
CREATE UNIQUE INDEX "Attachment_auditItemId_sha256_key" ON "Attachment"("auditItemId", "sha256") WHERE "detachedAt" IS NULL;
CREATE UNIQUE INDEX "Attachment_trialId_sha256_key" ON "Attachment"("trialId", "sha256") WHERE "detachedAt" IS NULL;
CREATE UNIQUE INDEX "Attachment_runId_sha256_key" ON "Attachment"("runId", "sha256") WHERE "detachedAt" IS NULL;

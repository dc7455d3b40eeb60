-- CreateTable
CREATE TABLE "Fleet" (
    "projectId" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "gpus" DOUBLE PRECISION,
    "busyShare" DOUBLE PRECISION,
    "hoursPerMonth" DOUBLE PRECISION,
    "currency" TEXT,
    "pricePerGpuHour" DOUBLE PRECISION,
    "pricePerKwh" DOUBLE PRECISION,
    "pue" DOUBLE PRECISION,
    "powerPerGpu" DOUBLE PRECISION,
    "pricePerEngineeringHour" DOUBLE PRECISION,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Fleet_pkey" PRIMARY KEY ("projectId")
);

-- AddForeignKey
ALTER TABLE "Fleet" ADD CONSTRAINT "Fleet_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable: what a run says of its environment, workload and tool, in short (the text of jsonb has one order of keys),
-- and when it was measured, else recorded
ALTER TABLE "Run" ADD COLUMN "factsKey" TEXT NOT NULL GENERATED ALWAYS AS (
    md5("environment"::text || "workload"::text || coalesce("tool", '') || '/' || coalesce("toolVersion", ''))
) STORED,
ADD COLUMN "measuredAt" TIMESTAMPTZ(3) NOT NULL GENERATED ALWAYS AS (coalesce("startedAt", "createdAt")) STORED;

-- CreateIndex
CREATE INDEX "Run_projectId_factsKey_measuredAt_id_idx" ON "Run"("projectId", "factsKey", "measuredAt", "id");

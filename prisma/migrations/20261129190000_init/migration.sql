-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Locale" AS ENUM ('EN', 'ZH');

-- CreateEnum
CREATE TYPE "ProjectRole" AS ENUM ('VIEWER', 'CONTRIBUTOR', 'REVIEWER', 'MAINTAINER');

-- CreateEnum
CREATE TYPE "OrganizationRole" AS ENUM ('MEMBER', 'CATALOG_EDITOR', 'ADMIN');

-- CreateEnum
CREATE TYPE "GainBasis" AS ENUM ('VENDOR_DOC', 'PUBLIC_BENCHMARK', 'OWN_MEASUREMENT', 'EXPERT_OPINION');

-- CreateEnum
CREATE TYPE "Direction" AS ENUM ('HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'TARGET');

-- CreateEnum
CREATE TYPE "MetricRole" AS ENUM ('PRIMARY', 'SECONDARY', 'GUARDRAIL', 'DIAGNOSTIC');

-- CreateEnum
CREATE TYPE "AuditStatus" AS ENUM ('OPEN', 'CLOSED');

-- CreateEnum
CREATE TYPE "Work" AS ENUM ('TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE');

-- CreateEnum
CREATE TYPE "Outcome" AS ENUM ('NOT_ASSESSED', 'ALREADY_IN_PLACE', 'APPLIED', 'REJECTED', 'DEFERRED', 'NOT_APPLICABLE');

-- CreateEnum
CREATE TYPE "Proof" AS ENUM ('VERIFIED', 'INDICATED', 'UNVERIFIED', 'REGRESSED');

-- CreateEnum
CREATE TYPE "ReasonCode" AS ENUM ('OUT_OF_SCOPE', 'CONSTRAINT', 'TRIED_WITHOUT_GAIN', 'TOO_RISKY', 'TOO_COSTLY', 'LATER', 'OTHER');

-- CreateEnum
CREATE TYPE "RecheckCode" AS ENUM ('CHECK_CHANGED', 'ENVIRONMENT_CHANGED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "Applies" AS ENUM ('YES', 'NO', 'UNKNOWN');

-- CreateEnum
CREATE TYPE "Priority" AS ENUM ('LOW', 'NORMAL', 'HIGH');

-- CreateEnum
CREATE TYPE "RunSource" AS ENUM ('MANUAL', 'IMPORT', 'CI');

-- CreateEnum
CREATE TYPE "RunStatus" AS ENUM ('OK', 'PARTIAL', 'FAILED');

-- CreateEnum
CREATE TYPE "Sampling" AS ENUM ('SEPARATE_SESSIONS', 'ONE_SESSION', 'UNKNOWN');

-- CreateEnum
CREATE TYPE "Arm" AS ENUM ('BEFORE', 'AFTER');

-- CreateEnum
CREATE TYPE "Verdict" AS ENUM ('IMPROVED', 'REGRESSED', 'NO_MEANINGFUL_CHANGE', 'INCONCLUSIVE', 'NOT_COMPARABLE', 'BLOCKED_BY_GUARDRAIL');

-- CreateEnum
CREATE TYPE "EvidenceLevel" AS ENUM ('EXACT', 'PAIRED', 'STATISTICAL', 'SUMMARY', 'INDICATIVE', 'SINGLE_RUN', 'NONE');

-- CreateEnum
CREATE TYPE "NoteOutcome" AS ENUM ('HELPED', 'NEUTRAL', 'HURT', 'INCONCLUSIVE');

-- CreateEnum
CREATE TYPE "SearchKind" AS ENUM ('ITEM', 'NOTE', 'AUDIT_ITEM', 'COMMENT');

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "locale" "Locale" NOT NULL DEFAULT 'EN',
    "role" "OrganizationRole" NOT NULL DEFAULT 'MEMBER',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Team" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TeamMember" (
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" "ProjectRole" NOT NULL,

    CONSTRAINT "TeamMember_pkey" PRIMARY KEY ("teamId","userId")
);

-- CreateTable
CREATE TABLE "ProjectMember" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" "ProjectRole" NOT NULL,

    CONSTRAINT "ProjectMember_pkey" PRIMARY KEY ("projectId","userId")
);

-- CreateTable
CREATE TABLE "HandledRequest" (
    "viewerId" TEXT NOT NULL,
    "clientMutationId" TEXT NOT NULL,
    "mutation" TEXT NOT NULL,
    "inputDigest" TEXT NOT NULL,
    "result" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HandledRequest_pkey" PRIMARY KEY ("viewerId","clientMutationId")
);

-- CreateTable
CREATE TABLE "ContentLoad" (
    "id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "loadedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ContentLoad_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Checklist" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "teamId" TEXT,

    CONSTRAINT "Checklist_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Release" (
    "id" TEXT NOT NULL,
    "checklistId" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "title" JSONB NOT NULL,
    "summary" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "publishedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Section" (
    "id" TEXT NOT NULL,
    "releaseId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "order" INTEGER NOT NULL,
    "title" JSONB NOT NULL,
    "summary" JSONB NOT NULL,

    CONSTRAINT "Section_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Item" (
    "id" TEXT NOT NULL,
    "checklistId" TEXT NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "Item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ItemRevision" (
    "id" TEXT NOT NULL,
    "itemId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "checkDigest" TEXT NOT NULL,
    "title" JSONB NOT NULL,
    "summary" JSONB NOT NULL,
    "texts" JSONB NOT NULL,
    "textDigests" JSONB NOT NULL,
    "layer" TEXT NOT NULL,
    "bottleneck" TEXT NOT NULL,
    "phases" TEXT[],
    "frameworks" TEXT[],
    "tags" TEXT[],
    "settings" TEXT[],
    "applicability" JSONB,
    "signals" JSONB NOT NULL,
    "metrics" JSONB NOT NULL,
    "gain" JSONB NOT NULL,
    "effort" TEXT NOT NULL,
    "risk" JSONB NOT NULL,
    "isReversible" BOOLEAN NOT NULL,
    "relations" JSONB NOT NULL,
    "sources" JSONB NOT NULL,
    "reviewBy" DATE NOT NULL,

    CONSTRAINT "ItemRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReleaseItem" (
    "id" TEXT NOT NULL,
    "releaseId" TEXT NOT NULL,
    "sectionId" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "order" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "ReleaseItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ItemOverlay" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "itemId" TEXT NOT NULL,
    "note" JSONB,
    "threshold" DOUBLE PRECISION,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ItemOverlay_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Metric" (
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL DEFAULT '',
    "key" TEXT NOT NULL,
    "name" JSONB NOT NULL,
    "description" JSONB,
    "unit" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "direction" "Direction",
    "target" DOUBLE PRECISION,
    "isExact" BOOLEAN NOT NULL DEFAULT false,
    "smallestEffect" DOUBLE PRECISION NOT NULL,
    "role" "MetricRole" NOT NULL,
    "order" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Metric_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HardwareProfile" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "vendor" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "architecture" TEXT NOT NULL,
    "capabilities" TEXT[],
    "facts" JSONB NOT NULL,
    "order" INTEGER NOT NULL,

    CONSTRAINT "HardwareProfile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Capability" (
    "key" TEXT NOT NULL,
    "name" JSONB NOT NULL,
    "description" JSONB NOT NULL,

    CONSTRAINT "Capability_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Tag" (
    "key" TEXT NOT NULL,
    "name" JSONB NOT NULL,

    CONSTRAINT "Tag_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "GlossaryTerm" (
    "id" TEXT NOT NULL,
    "en" TEXT NOT NULL,
    "zh" TEXT NOT NULL,
    "synonymsEn" TEXT[],
    "synonymsZh" TEXT[],
    "note" JSONB,

    CONSTRAINT "GlossaryTerm_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EnvironmentKey" (
    "key" TEXT NOT NULL,
    "tier" TEXT NOT NULL,
    "unit" TEXT,
    "name" JSONB NOT NULL,

    CONSTRAINT "EnvironmentKey_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Project" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "teamId" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Environment" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hardwareId" TEXT,
    "facts" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Audit" (
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "projectId" TEXT NOT NULL,
    "releaseId" TEXT NOT NULL,
    "environmentId" TEXT,
    "title" TEXT NOT NULL,
    "status" "AuditStatus" NOT NULL DEFAULT 'OPEN',
    "timeBreakdown" JSONB,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMPTZ(3),
    "touchedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditItem" (
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "auditId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "releaseItemId" TEXT,
    "custom" JSONB,
    "position" INTEGER NOT NULL,
    "applies" "Applies" NOT NULL,
    "appliesReasons" JSONB NOT NULL,
    "overruled" "Applies",
    "overruleReason" TEXT,
    "work" "Work" NOT NULL DEFAULT 'TODO',
    "outcome" "Outcome" NOT NULL DEFAULT 'NOT_ASSESSED',
    "reasonCode" "ReasonCode",
    "reason" TEXT,
    "remark" TEXT,
    "recheckCode" "RecheckCode",
    "recheckCause" JSONB,
    "recheckSince" TIMESTAMPTZ(3),
    "measuredProof" "Proof",
    "adoptedFromId" TEXT,
    "expectation" TEXT,
    "plannedChange" JSONB,
    "assigneeId" TEXT,
    "dueAt" TIMESTAMPTZ(3),
    "priority" "Priority" NOT NULL DEFAULT 'NORMAL',
    "expiresAt" TIMESTAMPTZ(3),
    "isArchived" BOOLEAN NOT NULL DEFAULT false,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Comment" (
    "id" TEXT NOT NULL,
    "auditItemId" TEXT NOT NULL,
    "authorId" TEXT NOT NULL,
    "parentId" TEXT,
    "body" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Comment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HistoryEntry" (
    "id" TEXT NOT NULL,
    "viewerId" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "projectId" TEXT,
    "auditId" TEXT,
    "auditItemId" TEXT,
    "subject" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "reason" TEXT,

    CONSTRAINT "HistoryEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Milestone" (
    "id" TEXT NOT NULL,
    "auditId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "snapshot" JSONB NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Milestone_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Evidence" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Evidence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "source" "RunSource" NOT NULL,
    "status" "RunStatus" NOT NULL,
    "tool" TEXT,
    "toolVersion" TEXT,
    "format" TEXT,
    "fileName" TEXT,
    "contentHash" TEXT,
    "part" INTEGER NOT NULL DEFAULT 0,
    "session" TEXT,
    "block" TEXT,
    "environment" JSONB NOT NULL,
    "workload" JSONB NOT NULL,
    "command" TEXT,
    "commit" TEXT,
    "imageDigest" TEXT,
    "variant" TEXT,
    "evidenceId" TEXT,
    "startedAt" TIMESTAMPTZ(3),
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Observation" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "metricId" TEXT NOT NULL,
    "dimensions" JSONB NOT NULL,
    "seriesKey" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "position" INTEGER NOT NULL,
    "repeats" DOUBLE PRECISION[],
    "blocks" TEXT[],
    "samples" DOUBLE PRECISION[],
    "distribution" JSONB,

    CONSTRAINT "Observation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Trial" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "auditItemId" TEXT NOT NULL,
    "hypothesis" TEXT,
    "variable" TEXT[],
    "primaryMetricId" TEXT NOT NULL,
    "guardrails" TEXT[],
    "threshold" DOUBLE PRECISION,
    "isPaired" BOOLEAN NOT NULL DEFAULT false,
    "sampling" "Sampling" NOT NULL DEFAULT 'UNKNOWN',
    "isControl" BOOLEAN NOT NULL DEFAULT false,
    "verdict" "Verdict",
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Trial_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TrialRun" (
    "trialId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "arm" "Arm" NOT NULL,
    "order" INTEGER NOT NULL,

    CONSTRAINT "TrialRun_pkey" PRIMARY KEY ("trialId","arm","runId")
);

-- CreateTable
CREATE TABLE "Comparison" (
    "id" TEXT NOT NULL,
    "trialId" TEXT NOT NULL,
    "metricId" TEXT NOT NULL,
    "role" "MetricRole" NOT NULL,
    "dimensions" JSONB NOT NULL,
    "seriesKey" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "computation" INTEGER NOT NULL DEFAULT 1,
    "nBefore" INTEGER NOT NULL,
    "nAfter" INTEGER NOT NULL,
    "medianBefore" DOUBLE PRECISION,
    "medianAfter" DOUBLE PRECISION,
    "ratio" DOUBLE PRECISION,
    "gain" DOUBLE PRECISION,
    "gainLow" DOUBLE PRECISION,
    "gainHigh" DOUBLE PRECISION,
    "gainLow90" DOUBLE PRECISION,
    "gainHigh90" DOUBLE PRECISION,
    "pValue" DOUBLE PRECISION,
    "adjustedP" DOUBLE PRECISION,
    "threshold" DOUBLE PRECISION NOT NULL,
    "requiredGain" DOUBLE PRECISION NOT NULL,
    "method" TEXT NOT NULL,
    "methodVersion" TEXT NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "evidence" "EvidenceLevel" NOT NULL,
    "verdict" "Verdict" NOT NULL,
    "isStrong" BOOLEAN NOT NULL,
    "isConfounded" BOOLEAN NOT NULL,
    "moreRunsPerArm" INTEGER,
    "warnings" JSONB NOT NULL,
    "differences" JSONB NOT NULL,
    "samples" JSONB NOT NULL,

    CONSTRAINT "Comparison_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NoiseFloor" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "metricId" TEXT NOT NULL,
    "contextKey" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "runCount" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "NoiseFloor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Note" (
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "projectId" TEXT,
    "slug" TEXT,
    "auditItemId" TEXT,
    "authorId" TEXT,
    "locale" "Locale" NOT NULL,
    "title" JSONB NOT NULL,
    "body" JSONB NOT NULL,
    "caveats" JSONB,
    "context" JSONB NOT NULL,
    "change" JSONB NOT NULL,
    "outcome" "NoteOutcome" NOT NULL,
    "tags" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NoteItem" (
    "noteId" TEXT NOT NULL,
    "itemId" TEXT NOT NULL,
    "order" INTEGER NOT NULL,

    CONSTRAINT "NoteItem_pkey" PRIMARY KEY ("noteId","itemId")
);

-- CreateTable
CREATE TABLE "NoteTrial" (
    "noteId" TEXT NOT NULL,
    "trialId" TEXT NOT NULL,
    "order" INTEGER NOT NULL,

    CONSTRAINT "NoteTrial_pkey" PRIMARY KEY ("noteId","trialId")
);

-- CreateTable
CREATE TABLE "SearchDocument" (
    "kind" "SearchKind" NOT NULL,
    "subjectId" TEXT NOT NULL,
    "projectId" TEXT,
    "teamId" TEXT,
    "key" TEXT,
    "checklist" TEXT,
    "section" TEXT,
    "title" JSONB NOT NULL,
    "body" JSONB NOT NULL,
    "identifiers" TEXT[],
    "tags" TEXT[],
    "hardware" TEXT[],
    "frameworks" TEXT[],
    "languages" "Locale"[],
    "outcome" "NoteOutcome",
    "verdict" "Verdict",
    "gain" DOUBLE PRECISION,
    "revision" BIGSERIAL NOT NULL,
    "isPresent" BOOLEAN NOT NULL DEFAULT true,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "terms" tsvector NOT NULL,

    CONSTRAINT "SearchDocument_pkey" PRIMARY KEY ("kind","subjectId")
);

-- CreateIndex
CREATE UNIQUE INDEX "Team_slug_key" ON "Team"("slug");

-- CreateIndex
CREATE INDEX "TeamMember_userId_idx" ON "TeamMember"("userId");

-- CreateIndex
CREATE INDEX "ProjectMember_userId_idx" ON "ProjectMember"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Checklist_slug_key" ON "Checklist"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "Release_checklistId_version_key" ON "Release"("checklistId", "version");

-- CreateIndex
CREATE UNIQUE INDEX "Release_checklistId_rank_key" ON "Release"("checklistId", "rank");

-- CreateIndex
CREATE UNIQUE INDEX "Section_releaseId_key_key" ON "Section"("releaseId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Item_checklistId_key_key" ON "Item"("checklistId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "ItemRevision_itemId_digest_key" ON "ItemRevision"("itemId", "digest");

-- CreateIndex
CREATE INDEX "ReleaseItem_revisionId_idx" ON "ReleaseItem"("revisionId");

-- CreateIndex
CREATE UNIQUE INDEX "ReleaseItem_releaseId_key_key" ON "ReleaseItem"("releaseId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "ReleaseItem_releaseId_position_key" ON "ReleaseItem"("releaseId", "position");

-- CreateIndex
CREATE UNIQUE INDEX "ItemOverlay_teamId_itemId_key" ON "ItemOverlay"("teamId", "itemId");

-- CreateIndex
CREATE UNIQUE INDEX "Metric_scope_key_key" ON "Metric"("scope", "key");

-- CreateIndex
CREATE UNIQUE INDEX "HardwareProfile_slug_key" ON "HardwareProfile"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "GlossaryTerm_en_key" ON "GlossaryTerm"("en");

-- CreateIndex
CREATE UNIQUE INDEX "Project_slug_key" ON "Project"("slug");

-- CreateIndex
CREATE INDEX "Project_teamId_idx" ON "Project"("teamId");

-- CreateIndex
CREATE UNIQUE INDEX "Environment_projectId_name_key" ON "Environment"("projectId", "name");

-- CreateIndex
CREATE INDEX "Audit_projectId_idx" ON "Audit"("projectId");

-- CreateIndex
CREATE INDEX "Audit_releaseId_idx" ON "Audit"("releaseId");

-- CreateIndex
CREATE INDEX "AuditItem_auditId_position_idx" ON "AuditItem"("auditId", "position");

-- CreateIndex
CREATE INDEX "AuditItem_releaseItemId_idx" ON "AuditItem"("releaseItemId");

-- CreateIndex
CREATE INDEX "AuditItem_adoptedFromId_idx" ON "AuditItem"("adoptedFromId");

-- CreateIndex
CREATE UNIQUE INDEX "AuditItem_auditId_releaseItemId_key" ON "AuditItem"("auditId", "releaseItemId");

-- CreateIndex
CREATE INDEX "Comment_auditItemId_idx" ON "Comment"("auditItemId");

-- CreateIndex
CREATE INDEX "HistoryEntry_subjectId_idx" ON "HistoryEntry"("subjectId");

-- CreateIndex
CREATE INDEX "HistoryEntry_auditId_idx" ON "HistoryEntry"("auditId");

-- CreateIndex
CREATE INDEX "HistoryEntry_auditItemId_idx" ON "HistoryEntry"("auditItemId");

-- CreateIndex
CREATE INDEX "HistoryEntry_projectId_idx" ON "HistoryEntry"("projectId");

-- CreateIndex
CREATE INDEX "Milestone_auditId_idx" ON "Milestone"("auditId");

-- CreateIndex
CREATE UNIQUE INDEX "Evidence_projectId_sha256_key" ON "Evidence"("projectId", "sha256");

-- CreateIndex
CREATE UNIQUE INDEX "Run_projectId_contentHash_part_key" ON "Run"("projectId", "contentHash", "part");

-- CreateIndex
CREATE INDEX "Observation_metricId_idx" ON "Observation"("metricId");

-- CreateIndex
CREATE UNIQUE INDEX "Observation_runId_metricId_seriesKey_key" ON "Observation"("runId", "metricId", "seriesKey");

-- CreateIndex
CREATE INDEX "Trial_auditItemId_idx" ON "Trial"("auditItemId");

-- CreateIndex
CREATE INDEX "Trial_projectId_idx" ON "Trial"("projectId");

-- CreateIndex
CREATE INDEX "TrialRun_runId_idx" ON "TrialRun"("runId");

-- CreateIndex
CREATE INDEX "Comparison_trialId_idx" ON "Comparison"("trialId");

-- CreateIndex
CREATE INDEX "Comparison_metricId_idx" ON "Comparison"("metricId");

-- CreateIndex
CREATE INDEX "NoiseFloor_projectId_metricId_contextKey_idx" ON "NoiseFloor"("projectId", "metricId", "contextKey");

-- CreateIndex
CREATE UNIQUE INDEX "Note_slug_key" ON "Note"("slug");

-- CreateIndex
CREATE INDEX "Note_projectId_idx" ON "Note"("projectId");

-- CreateIndex
CREATE INDEX "Note_auditItemId_idx" ON "Note"("auditItemId");

-- CreateIndex
CREATE INDEX "NoteItem_itemId_idx" ON "NoteItem"("itemId");

-- CreateIndex
CREATE INDEX "NoteTrial_trialId_idx" ON "NoteTrial"("trialId");

-- CreateIndex
-- Without it a search reads all rows that were written since the index was last settled.
CREATE INDEX "SearchDocument_terms_idx" ON "SearchDocument" USING GIN ("terms") WITH (fastupdate = off);

-- CreateIndex
CREATE INDEX "SearchDocument_revision_idx" ON "SearchDocument"("revision");

-- CreateIndex
CREATE INDEX "SearchDocument_projectId_idx" ON "SearchDocument"("projectId");

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProjectMember" ADD CONSTRAINT "ProjectMember_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProjectMember" ADD CONSTRAINT "ProjectMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HandledRequest" ADD CONSTRAINT "HandledRequest_viewerId_fkey" FOREIGN KEY ("viewerId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Checklist" ADD CONSTRAINT "Checklist_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_checklistId_fkey" FOREIGN KEY ("checklistId") REFERENCES "Checklist"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Section" ADD CONSTRAINT "Section_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Item" ADD CONSTRAINT "Item_checklistId_fkey" FOREIGN KEY ("checklistId") REFERENCES "Checklist"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ItemRevision" ADD CONSTRAINT "ItemRevision_itemId_fkey" FOREIGN KEY ("itemId") REFERENCES "Item"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseItem" ADD CONSTRAINT "ReleaseItem_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseItem" ADD CONSTRAINT "ReleaseItem_sectionId_fkey" FOREIGN KEY ("sectionId") REFERENCES "Section"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseItem" ADD CONSTRAINT "ReleaseItem_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "ItemRevision"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ItemOverlay" ADD CONSTRAINT "ItemOverlay_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ItemOverlay" ADD CONSTRAINT "ItemOverlay_itemId_fkey" FOREIGN KEY ("itemId") REFERENCES "Item"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Project" ADD CONSTRAINT "Project_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Environment" ADD CONSTRAINT "Environment_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Environment" ADD CONSTRAINT "Environment_hardwareId_fkey" FOREIGN KEY ("hardwareId") REFERENCES "HardwareProfile"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_releaseItemId_fkey" FOREIGN KEY ("releaseItemId") REFERENCES "ReleaseItem"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_adoptedFromId_fkey" FOREIGN KEY ("adoptedFromId") REFERENCES "Note"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_assigneeId_fkey" FOREIGN KEY ("assigneeId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_auditItemId_fkey" FOREIGN KEY ("auditItemId") REFERENCES "AuditItem"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Comment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HistoryEntry" ADD CONSTRAINT "HistoryEntry_viewerId_fkey" FOREIGN KEY ("viewerId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HistoryEntry" ADD CONSTRAINT "HistoryEntry_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HistoryEntry" ADD CONSTRAINT "HistoryEntry_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HistoryEntry" ADD CONSTRAINT "HistoryEntry_auditItemId_fkey" FOREIGN KEY ("auditItemId") REFERENCES "AuditItem"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Milestone" ADD CONSTRAINT "Milestone_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Milestone" ADD CONSTRAINT "Milestone_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_evidenceId_fkey" FOREIGN KEY ("evidenceId") REFERENCES "Evidence"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Observation" ADD CONSTRAINT "Observation_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Observation" ADD CONSTRAINT "Observation_metricId_fkey" FOREIGN KEY ("metricId") REFERENCES "Metric"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trial" ADD CONSTRAINT "Trial_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trial" ADD CONSTRAINT "Trial_auditItemId_fkey" FOREIGN KEY ("auditItemId") REFERENCES "AuditItem"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trial" ADD CONSTRAINT "Trial_primaryMetricId_fkey" FOREIGN KEY ("primaryMetricId") REFERENCES "Metric"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trial" ADD CONSTRAINT "Trial_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TrialRun" ADD CONSTRAINT "TrialRun_trialId_fkey" FOREIGN KEY ("trialId") REFERENCES "Trial"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TrialRun" ADD CONSTRAINT "TrialRun_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comparison" ADD CONSTRAINT "Comparison_trialId_fkey" FOREIGN KEY ("trialId") REFERENCES "Trial"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comparison" ADD CONSTRAINT "Comparison_metricId_fkey" FOREIGN KEY ("metricId") REFERENCES "Metric"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoiseFloor" ADD CONSTRAINT "NoiseFloor_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoiseFloor" ADD CONSTRAINT "NoiseFloor_metricId_fkey" FOREIGN KEY ("metricId") REFERENCES "Metric"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Note" ADD CONSTRAINT "Note_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Note" ADD CONSTRAINT "Note_auditItemId_fkey" FOREIGN KEY ("auditItemId") REFERENCES "AuditItem"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Note" ADD CONSTRAINT "Note_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoteItem" ADD CONSTRAINT "NoteItem_noteId_fkey" FOREIGN KEY ("noteId") REFERENCES "Note"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoteItem" ADD CONSTRAINT "NoteItem_itemId_fkey" FOREIGN KEY ("itemId") REFERENCES "Item"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoteTrial" ADD CONSTRAINT "NoteTrial_noteId_fkey" FOREIGN KEY ("noteId") REFERENCES "Note"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NoteTrial" ADD CONSTRAINT "NoteTrial_trialId_fkey" FOREIGN KEY ("trialId") REFERENCES "Trial"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



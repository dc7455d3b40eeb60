-- CreateEnum
CREATE TYPE "ReviewDecision" AS ENUM ('ACCEPTED', 'REJECTED');

-- CreateEnum
CREATE TYPE "ProposalStatus" AS ENUM ('OPEN', 'ACCEPTED', 'REJECTED', 'WITHDRAWN');

-- DropIndex
DROP INDEX "HistoryEntry_projectId_idx";

-- AlterTable
ALTER TABLE "Audit" ADD COLUMN     "clonedFromId" TEXT,
ADD COLUMN     "endToEndTrialId" TEXT,
ADD COLUMN     "requiresReview" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "AuditItem" ADD COLUMN     "acceptedAt" TIMESTAMPTZ(3),
ADD COLUMN     "acceptedById" TEXT,
ADD COLUMN     "assessedAt" TIMESTAMPTZ(3),
ADD COLUMN     "assessedById" TEXT,
ADD COLUMN     "customKey" TEXT,
ADD COLUMN     "customSection" TEXT,
ADD COLUMN     "recheckOfId" TEXT,
ADD COLUMN     "submittedAt" TIMESTAMPTZ(3),
ADD COLUMN     "submittedById" TEXT;

-- AlterTable
ALTER TABLE "Comment" ADD COLUMN     "authorName" TEXT,
ADD COLUMN     "decision" "ReviewDecision",
ADD COLUMN     "projectId" TEXT NOT NULL,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
ALTER COLUMN "authorId" DROP NOT NULL;

-- AlterTable
ALTER TABLE "HistoryEntry" ADD COLUMN     "byName" TEXT,
ALTER COLUMN "viewerId" DROP NOT NULL;

-- AlterTable
ALTER TABLE "Milestone" ADD COLUMN     "createdByName" TEXT,
ADD COLUMN     "projectId" TEXT NOT NULL,
ALTER COLUMN "createdById" DROP NOT NULL;

-- AlterTable
ALTER TABLE "Trial" ADD COLUMN     "originId" TEXT;

-- CreateTable
CREATE TABLE "CommentMention" (
    "commentId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "seenAt" TIMESTAMPTZ(3),

    CONSTRAINT "CommentMention_pkey" PRIMARY KEY ("commentId","userId")
);

-- CreateTable
CREATE TABLE "Proposal" (
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "projectId" TEXT NOT NULL,
    "auditItemId" TEXT NOT NULL,
    "checklistId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "why" TEXT NOT NULL,
    "status" "ProposalStatus" NOT NULL DEFAULT 'OPEN',
    "proposedById" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decidedById" TEXT,
    "decidedAt" TIMESTAMPTZ(3),
    "decision" TEXT,

    CONSTRAINT "Proposal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "CommentMention_userId_seenAt_idx" ON "CommentMention"("userId", "seenAt");

-- CreateIndex
CREATE INDEX "Proposal_projectId_idx" ON "Proposal"("projectId");

-- CreateIndex
CREATE INDEX "Proposal_auditItemId_idx" ON "Proposal"("auditItemId");

-- CreateIndex
CREATE INDEX "Proposal_checklistId_status_idx" ON "Proposal"("checklistId", "status");

-- CreateIndex
CREATE INDEX "Audit_clonedFromId_idx" ON "Audit"("clonedFromId");

-- CreateIndex
CREATE INDEX "Audit_endToEndTrialId_idx" ON "Audit"("endToEndTrialId");

-- CreateIndex
CREATE INDEX "AuditItem_assigneeId_idx" ON "AuditItem"("assigneeId");

-- CreateIndex
CREATE INDEX "AuditItem_assessedById_idx" ON "AuditItem"("assessedById");

-- CreateIndex
CREATE INDEX "AuditItem_submittedById_idx" ON "AuditItem"("submittedById");

-- CreateIndex
CREATE INDEX "AuditItem_projectId_work_idx" ON "AuditItem"("projectId", "work");

-- CreateIndex
CREATE INDEX "AuditItem_expiresAt_idx" ON "AuditItem"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "AuditItem_auditId_customKey_key" ON "AuditItem"("auditId", "customKey");

-- CreateIndex
CREATE INDEX "Comment_parentId_idx" ON "Comment"("parentId");

-- CreateIndex
CREATE INDEX "HistoryEntry_projectId_at_id_idx" ON "HistoryEntry"("projectId", "at", "id");

-- CreateIndex
CREATE INDEX "Trial_originId_idx" ON "Trial"("originId");

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_endToEndTrialId_fkey" FOREIGN KEY ("endToEndTrialId") REFERENCES "Trial"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_clonedFromId_fkey" FOREIGN KEY ("clonedFromId") REFERENCES "Audit"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_assessedById_fkey" FOREIGN KEY ("assessedById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_submittedById_fkey" FOREIGN KEY ("submittedById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_acceptedById_fkey" FOREIGN KEY ("acceptedById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditItem" ADD CONSTRAINT "AuditItem_recheckOfId_fkey" FOREIGN KEY ("recheckOfId") REFERENCES "ReleaseItem"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommentMention" ADD CONSTRAINT "CommentMention_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommentMention" ADD CONSTRAINT "CommentMention_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_auditItemId_fkey" FOREIGN KEY ("auditItemId") REFERENCES "AuditItem"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_checklistId_fkey" FOREIGN KEY ("checklistId") REFERENCES "Checklist"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_proposedById_fkey" FOREIGN KEY ("proposedById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_decidedById_fkey" FOREIGN KEY ("decidedById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Who assessed what is there is in the history.
UPDATE "AuditItem" AS item SET "assessedById" = newest."viewerId", "assessedAt" = newest."at"
FROM (
  SELECT DISTINCT ON ("auditItemId") "auditItemId", "viewerId", "at"
  FROM "HistoryEntry" WHERE "subject" = 'auditItem' AND "field" = 'outcome'
  ORDER BY "auditItemId", "id" DESC
) AS newest
WHERE newest."auditItemId" = item."id" AND item."outcome" <> 'NOT_ASSESSED';

-- History and milestones are never changed and never removed.
CREATE FUNCTION "refuseChange"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Rows of "%" are never changed or removed', TG_TABLE_NAME;
END $$;

CREATE TRIGGER "HistoryEntry_never_changes" BEFORE UPDATE OR DELETE OR TRUNCATE ON "HistoryEntry"
FOR EACH STATEMENT EXECUTE FUNCTION "refuseChange"();

CREATE TRIGGER "Milestone_never_changes" BEFORE UPDATE OR DELETE OR TRUNCATE ON "Milestone"
FOR EACH STATEMENT EXECUTE FUNCTION "refuseChange"();

-- Whoever listens hears of every change of an audit once it is committed: its id, and the ids of the items where they
-- are few enough for a notification.
CREATE FUNCTION "tellOfHistory"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told record;
BEGIN
  FOR told IN
    SELECT "auditId", array_agg(DISTINCT "auditItemId") FILTER (WHERE "auditItemId" IS NOT NULL) AS items
    FROM added WHERE "auditId" IS NOT NULL GROUP BY "auditId"
  LOOP
    PERFORM pg_notify(
      'tunebook_audits',
      jsonb_build_object(
        'auditId', told."auditId",
        'itemIds', CASE WHEN cardinality(told.items) > 100 THEN NULL ELSE to_jsonb(coalesce(told.items, '{}')) END
      )::text
    );
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER "HistoryEntry_tells" AFTER INSERT ON "HistoryEntry"
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "tellOfHistory"();

-- CreateEnum
CREATE TYPE "ServiceTokenRight" AS ENUM ('INGEST', 'READ_ONLY');

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "isMachine" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "ServiceToken" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "right" "ServiceTokenRight" NOT NULL,
    "userId" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ServiceToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ServiceTokenProject" (
    "serviceTokenId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,

    CONSTRAINT "ServiceTokenProject_pkey" PRIMARY KEY ("serviceTokenId","projectId")
);

-- CreateIndex
CREATE UNIQUE INDEX "ServiceToken_digest_key" ON "ServiceToken"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "ServiceToken_userId_key" ON "ServiceToken"("userId");

-- CreateIndex
CREATE INDEX "ServiceToken_createdById_idx" ON "ServiceToken"("createdById");

-- CreateIndex
CREATE INDEX "ServiceTokenProject_projectId_idx" ON "ServiceTokenProject"("projectId");

-- AddForeignKey
ALTER TABLE "ServiceToken" ADD CONSTRAINT "ServiceToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ServiceToken" ADD CONSTRAINT "ServiceToken_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ServiceTokenProject" ADD CONSTRAINT "ServiceTokenProject_serviceTokenId_fkey" FOREIGN KEY ("serviceTokenId") REFERENCES "ServiceToken"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ServiceTokenProject" ADD CONSTRAINT "ServiceTokenProject_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

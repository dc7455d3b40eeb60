import { Prisma } from '../../generated/prisma/client.js';

// Which trials say something of the item that they were recorded on: the rule of `tellsOfItem` in domain/audit/proof.ts,
// for those who ask the database.

/** For `where` of trials. */
export const tellsOfItem = {
  verdict: { not: null },
  isControl: false,
  endToEndOf: { none: {} },
} satisfies Prisma.TrialWhereInput;

/** For SQL in which the trial goes by the name of t. */
export const tellsOfItemSql = Prisma.sql`(t."verdict" IS NOT NULL AND NOT t."isControl"
  AND NOT EXISTS (SELECT 1 FROM "Audit" whole WHERE whole."endToEndTrialId" = t."id"))`;

import { Prisma } from '../../generated/prisma/client.js';

/** The name of the unique constraint that a write broke, or null where the error is of another kind. */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') return null;
  const { driverAdapterError } = (error.meta ?? {}) as {
    driverAdapterError?: { cause?: { constraint?: { index?: string } } };
  };
  return driverAdapterError?.cause?.constraint?.index ?? null;
}

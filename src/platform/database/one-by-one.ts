import { PrismaPg } from '@prisma/adapter-pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/**
 * Sends the statements of a transaction one after the other. Prisma reads the relations of a row side by side, also in a
 * transaction, whose one connection takes one statement at a time: node-postgres 9 will refuse the second.
 */
export class OneByOnePg extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => oneByOne(await start(level));
    return adapter;
  }
}

function oneByOne(transaction: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn =
    <Q, A>(send: (query: Q) => Promise<A>) =>
    (query: Q): Promise<A> => {
      const answer = last.then(() => send(query));
      // Who asked gets the error; the next statement, such as ROLLBACK, is sent all the same.
      last = answer.catch(() => undefined);
      return answer;
    };
  transaction.queryRaw = inTurn(transaction.queryRaw.bind(transaction));
  transaction.executeRaw = inTurn(transaction.executeRaw.bind(transaction));
  return transaction;
}

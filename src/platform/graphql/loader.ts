import DataLoader from 'dataloader';
import { badCursor, pageOf, pageSize, startAfter, type Connection, type PageRequest } from './page.js';

/** What loaders live as long as: the request, or for a subscription the event that is being answered. */
function lifeOf(request: object): object {
  return 'event' in request && typeof request.event === 'object' && request.event !== null ? request.event : request;
}

/** A batching loader that lives exactly as long as one GraphQL request, or one event of a subscription. */
export function perRequest<K, V>(batch: (keys: readonly K[]) => Promise<readonly (V | Error)[]>) {
  const loaders = new WeakMap<object, DataLoader<K, V>>();
  return (request: object): DataLoader<K, V> => {
    const life = lifeOf(request);
    let loader = loaders.get(life);
    if (!loader) loaders.set(life, (loader = new DataLoader(batch)));
    return loader;
  };
}

/** The rows of each key, in the order of the keys: what the batch of a one-to-many loader gives back. */
export function groupByKey<K, R>(keys: readonly K[], rows: readonly R[], keyOf: (row: R) => K): R[][] {
  const groups = new Map<K, R[]>(keys.map((key) => [key, []]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}

/** The row of each key, or null: what the batch of a one-to-one loader gives back. */
export function oneByKey<K, R>(keys: readonly K[], rows: readonly R[], keyOf: (row: R) => K): (R | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key) ?? null);
}

interface PageKey {
  readonly parentId: string;
  readonly page: PageRequest;
}

/** The rows of one parent for a page, one more than asked for, and how many it has in all. */
export interface ParentRows<R> {
  readonly parentId: string;
  readonly rows: readonly R[];
  readonly totalCount: number;
}

/**
 * A loader for connections that hang on many parents at once: pages with the same arguments come from one call of `read`.
 * `read` gets the size with the one extra row, and the sort key to begin after. `holders` says which of the parents have the
 * row of that sort key: for the others it is the cursor of another list.
 */
export function perRequestPages<R, T>(
  read: (parentIds: readonly string[], take: number, after: string | null) => Promise<readonly ParentRows<R>[]>,
  keyOf: (row: R) => string,
  nodeOf: (row: R) => T,
  holders: (parentIds: readonly string[], key: string) => Promise<readonly string[]>,
) {
  const batch = async (keys: readonly PageKey[]): Promise<(Connection<T> | Error)[]> => {
    const pages = new Map<string, PageKey[]>();
    for (const key of keys) {
      const same = JSON.stringify(key.page);
      pages.set(same, [...(pages.get(same) ?? []), key]);
    }
    const found = new Map<string, Connection<T> | Error>();
    for (const [same, [first, ...others]] of pages) {
      if (!first) continue;
      const all = [first, ...others].map(({ parentId }) => parentId);
      const after = startAfter(first.page);
      const parentIds = after === null ? all : await holders(all, after);
      for (const parentId of all) {
        if (!parentIds.includes(parentId)) found.set(`${same} ${parentId}`, badCursor(first.page.after ?? ''));
      }
      const rows = await read(parentIds, pageSize(first.page.first) + 1, after);
      for (const one of rows) {
        found.set(`${same} ${one.parentId}`, pageOf(one.rows, first.page, one.totalCount, keyOf, nodeOf));
      }
    }
    return keys.map(
      ({ parentId, page }) => found.get(`${JSON.stringify(page)} ${parentId}`) ?? pageOf([], page, 0, keyOf, nodeOf),
    );
  };
  const loaders = new WeakMap<object, DataLoader<PageKey, Connection<T>, string>>();
  return (request: object): DataLoader<PageKey, Connection<T>, string> => {
    const life = lifeOf(request);
    let loader = loaders.get(life);
    if (!loader) loaders.set(life, (loader = new DataLoader(batch, { cacheKeyFn: (key) => JSON.stringify(key) })));
    return loader;
  };
}

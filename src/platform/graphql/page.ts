import type { PipeTransform } from '@nestjs/common';
import { Args, Field, Int, ObjectType } from '@nestjs/graphql';
import { invalidInput, type DomainError } from '../../domain/errors.js';

/** Most nodes a page of a connection may hold. */
export const PAGE_LIMIT = 100;

@ObjectType({ description: 'Where a page stands among all the nodes of its connection' })
export class PageInfo {
  @Field({ description: 'Whether nodes follow after this page' }) hasNextPage!: boolean;
  @Field({ description: 'Whether nodes come before this page' }) hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Cursor of the first node of this page' })
  startCursor!: string | null;
  @Field(() => String, { nullable: true, description: 'Cursor of the last node: pass it as `after` for the next page' })
  endCursor!: string | null;
}

export interface Edge<T> {
  readonly cursor: string;
  readonly node: T;
}

/** A page of nodes, in the shape of Relay's connections. */
export interface Connection<T> {
  readonly edges: Edge<T>[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

type NodeClass<T> = abstract new (...args: never[]) => T;

/** The edge and connection types of a node type; the subclasses give them their names. */
export function connectionOf<T>(node: NodeClass<T>, name: string) {
  @ObjectType(`${name}Edge`, { description: `One ${name} in a page, with its cursor` })
  class EdgeType {
    @Field({ description: 'Where this node stands: pass it as `after` to go on behind it' }) cursor!: string;
    @Field(() => node, { description: 'The node itself' }) node!: T;
  }
  @ObjectType({ isAbstract: true })
  abstract class ConnectionType {
    @Field(() => [EdgeType], { description: 'The nodes of this page with their cursors' }) edges!: EdgeType[];
    @Field(() => PageInfo, { description: 'Where this page stands' }) pageInfo!: PageInfo;
    @Field(() => Int, { description: 'How many nodes there are over all pages' }) totalCount!: number;
  }
  return ConnectionType;
}

/** Null is taken for the default, as if nothing had been given. */
class NullIs implements PipeTransform<number | null | undefined, number> {
  constructor(private readonly size: number) {}

  transform(value: number | null | undefined): number {
    return value ?? this.size;
  }
}

/** The argument that says how many nodes a page has. */
export const First = (size: number, limit: number = PAGE_LIMIT): ParameterDecorator =>
  Args(
    'first',
    { type: () => Int, nullable: true, defaultValue: size, description: `How many, 1 to ${limit}` },
    new NullIs(size),
  );

/** The argument that says where a page begins. */
export const After = (): ParameterDecorator =>
  Args('after', { type: () => String, nullable: true, description: 'Cursor of the node behind which the page begins' });

export interface PageRequest {
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** How many nodes were asked for; INVALID_INPUT below 1 or above the limit. */
export function pageSize(first: number, limit: number = PAGE_LIMIT): number {
  if (first < 1 || first > limit) {
    throw invalidInput(
      { en: `first must be 1 to ${limit}, and is ${first}`, zh: `first 须为 1 至 ${limit}，现为 ${first}` },
      { first, limit },
    );
  }
  return first;
}

/** An opaque cursor around a sort key. */
export function toCursor(key: string): string {
  return Buffer.from(`v1:${key}`).toString('base64url');
}

/** What to throw for a cursor that is of no list, or of another one. */
export function badCursor(cursor: string): DomainError {
  return invalidInput(
    { en: `"${cursor}" is not a cursor of this list`, zh: `“${cursor}”不是此列表的游标` },
    { cursor },
  );
}

/** The sort key in a cursor; INVALID_INPUT for anything that `toCursor` did not make. */
export function fromCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!/^v1:[\x20-\x7e]*$/.test(text) || toCursor(text.slice(3)) !== cursor) {
    throw badCursor(cursor);
  }
  return text.slice(3);
}

/** The sort key after which a page begins, null for the first page. */
export function startAfter(request: PageRequest): string | null {
  return request.after === undefined || request.after === null ? null : fromCursor(request.after);
}

/** As `startAfter`; INVALID_INPUT also where the list has no such key, whatever a filter lets through of it. */
export async function startAfterOne(
  request: PageRequest,
  isThere: (key: string) => Promise<boolean>,
): Promise<string | null> {
  const key = startAfter(request);
  if (key !== null && !(await isThere(key))) throw badCursor(request.after ?? '');
  return key;
}

/** The position in a sort key of a list that is ordered by a whole number; INVALID_INPUT for the key of another list. */
export function positionOf(key: string): number {
  if (/^\d{1,9}$/.test(key)) return Number(key);
  throw badCursor(toCursor(key));
}

/** The position after which a page begins, -1 for the first page. */
export function startAfterPosition(request: PageRequest): number {
  const key = startAfter(request);
  return key === null ? -1 : positionOf(key);
}

/**
 * Of a whole list what `pageOf` needs: the rows behind the cursor, one more than `first`. INVALID_INPUT for a size beyond
 * the limit, and for a cursor of no row of the list.
 */
export function rowsAfter<R>(
  rows: readonly R[],
  request: PageRequest,
  keyOf: (row: R) => string,
  limit: number = PAGE_LIMIT,
): readonly R[] {
  const first = pageSize(request.first, limit);
  const after = startAfter(request);
  const start = after === null ? 0 : rows.findIndex((row) => keyOf(row) === after) + 1;
  if (after !== null && start === 0) throw badCursor(request.after ?? '');
  return rows.slice(start, start + first + 1);
}

/**
 * Makes a page of rows that were asked for with one more than `first`, so that it is known whether others follow.
 */
export function pageOf<R, T>(
  rows: readonly R[],
  request: PageRequest,
  totalCount: number,
  keyOf: (row: R) => string,
  nodeOf: (row: R) => T,
): Connection<T> {
  const edges = rows.slice(0, request.first).map((row) => ({ cursor: toCursor(keyOf(row)), node: nodeOf(row) }));
  return {
    edges,
    totalCount,
    pageInfo: {
      hasNextPage: rows.length > request.first,
      hasPreviousPage: startAfter(request) !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

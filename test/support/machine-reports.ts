import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import { output } from './read-facts.js';

// Asks what texts say of machines, and what of checklists is for them.

export const DETECT = `query($content: String!) {
  detectEnvironment(content: $content) {
    summary { en zh } hardware { slug name vendor architecture isGeneric } alsoPossible { slug } facts runFacts
    found { key name { en zh } value tool line }
    contradictions { key name { en zh } values { value tool line } }
    missing { key name { en zh } itemCount command }
    outputs { tool firstLine lastLine } problems { line message { en zh } } removed { kind count }
  }
}`;

export interface Missing {
  readonly key: string;
  readonly itemCount: number;
  readonly command: string | null;
}

export const REPORT = `query($checklist: String!, $version: String, $hardware: String, $facts: JSON, $environmentId: ID, $answers: [Applies!], $first: Int, $after: String) {
  applicability(checklist: $checklist, version: $version, hardware: $hardware, facts: $facts, environmentId: $environmentId) {
    checklist { slug version itemCount } counts { yes no unknown } missing { key name { en zh } itemCount command }
    items(answers: $answers, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
      edges { cursor node { missing applicability { answer isPast reasons { en zh } } item { key title { en } section { key } } } }
    }
  }
}`;

export interface Node {
  readonly missing: readonly string[];
  readonly applicability: { readonly answer: string; readonly isPast: boolean; readonly reasons: readonly object[] };
  readonly item: { readonly key: string };
}

type Viewer = { readonly id: string } | null;

/** What is said of a text, to anybody. */
export async function detected(app: TestApp, content: string) {
  const { data, errors } = await app.as(null).send(DETECT, { content });
  expect(errors).toEqual([]);
  return data.detectEnvironment;
}

/** What applies to a machine: the shipped checklist where none is named. */
export async function reported(app: TestApp, variables: object, viewer: Viewer = null) {
  const { data, errors } = await app.as(viewer).send(REPORT, { checklist: 'ai-systems-performance', ...variables });
  expect(errors).toEqual([]);
  return data.applicability;
}

/** All items of a report over all pages. */
export async function nodesOf(app: TestApp, variables: object, viewer: Viewer = null): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  do {
    const { items }: { items: { edges: { node: Node }[]; totalCount: number; pageInfo: Record<string, never> } } =
      await reported(app, { first: 100, ...variables, after }, viewer);
    nodes.push(...items.edges.map(({ node }) => node));
    expect(items.pageInfo).toMatchObject({ hasPreviousPage: after !== null, hasNextPage: nodes.length < items.totalCount });
    after = items.pageInfo['hasNextPage'] ? (items.pageInfo['endCursor'] ?? null) : null;
  } while (after !== null);
  return nodes;
} // prettier-ignore

/** How many items hang on each key. */
export function tally(nodes: readonly Node[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const key of nodes.flatMap(({ missing }) => missing)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
}

export const counted = (missing: readonly Missing[]) => missing.map(({ key, itemCount }) => [key, itemCount]);

/** A server with four L4, as seven tools describe it. */
export const server = [
  output('nvidia-smi-csv/four-gpus.csv'),
  output('nvidia-smi-topo/four-gpus-on-pcie.txt'),
  output('lscpu/bare-metal-old-layout.txt'),
  output('numactl/two-nodes.txt'),
  output('nvcc/toolkit-12-8.txt'),
  output('pip-list/table.txt'),
  output('ibstat/infiniband-beside-ethernet.txt'),
].join('\n');

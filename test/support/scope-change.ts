/** All that the preview or the making of a change of an environment says, by the keys of the items. */
export const CHANGE = `
  environment { id version name hardware { slug } facts }
  hardware { slug } facts closedAuditCount auditCount
  differences { key name { en zh } before after }
  audits {
    audit { id }
    counts { comesIn goesOut answerChanged recheck noLongerNeeded unchanged }
    items { totalCount edges { node {
      effects cause { en zh } item { key } auditItem { id }
      before { answer isPast reasons { en zh } } after { answer isPast reasons { en zh } }
    } } }
  }`;

export interface Text {
  readonly en: string;
  readonly zh: string;
}

interface Applicability {
  readonly answer: string;
  readonly isPast: boolean;
  readonly reasons: readonly Text[];
}

/** What a change does to one item. */
export interface ItemChange {
  readonly effects: readonly string[];
  readonly cause: Text | null;
  readonly item: { readonly key: string };
  readonly auditItem: { readonly id: string };
  readonly before: Applicability;
  readonly after: Applicability;
}

/** What a change does to one audit. */
export interface AuditChange {
  readonly audit: { readonly id: string };
  readonly counts: Readonly<Record<string, number>>;
  readonly items: { readonly totalCount: number; readonly edges: readonly { readonly node: ItemChange }[] };
}

/** The items that a change touches, in their order: key, effects, answers and causes. */
export function touched(change: AuditChange | undefined): readonly (readonly [string, readonly string[]])[] {
  return (change?.items.edges ?? []).map(({ node }) => [node.item.key.replace('rig/', ''), node.effects] as const);
}

/** Why an item is to be looked at again, by its key; only those that are. */
export function causes(change: AuditChange | undefined): Readonly<Record<string, Text>> {
  const all = (change?.items.edges ?? []).flatMap(({ node }) =>
    node.cause === null ? [] : [[node.item.key.replace('rig/', ''), node.cause] as const],
  );
  return Object.fromEntries(all);
}

/** How many items a change touches, those that are none left out. */
export const none = { comesIn: 0, goesOut: 0, answerChanged: 0, recheck: 0, noLongerNeeded: 0, unchanged: 0 } as const;

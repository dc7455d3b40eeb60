import { Injectable } from '@nestjs/common';
import { predicateKeys, type PredicateKeys } from '../../domain/applicability/predicate-keys.js';
import type { Answer } from '../../domain/applicability/evaluate.js';
import type { Facts, KnownFacts } from '../../domain/applicability/facts.js';
import { nameOfKey } from '../../domain/applicability/reasons.js';
import { joinedCause, scopeChange, type ScopeEffect } from '../../domain/audit/rescope.js';
import { invalidInput } from '../../domain/errors.js';
import { textIn } from '../../domain/locale.js';
import { environmentDifferences, type EnvironmentDifference } from '../../domain/measurement/environment-diff.js';
import { storedFactsReader } from '../../domain/measurement/normal-facts.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record, type Change } from '../../platform/database/history.js';
import { factsOf, textsOf, toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { PAGE_LIMIT } from '../../platform/graphql/page.js';
import { knownOf, RulesService, toApplicability, toPredicate, type Rules } from '../catalog/rules.service.js';
import { EnvironmentsService, type EnvironmentRow } from '../projects/environments.service.js';
import type { UpdateEnvironmentInput } from '../projects/projects.types.js';
import { auditSubject, causeOf, itemSubject, touchOpenAudits } from './audits.queries.js';
import { AuditsService } from './audits.service.js';
import type { Audit } from './audits.types.js';
import { scopedItem, writeScope, type Rescoped, type ScopedItemRow } from './scoping.writes.js';
import type {
  AuditScopeChange,
  EnvironmentChange,
  ItemScopeChange,
  ScopeCounts,
  SetAuditEnvironmentInput,
} from './scoping.types.js';

const withScope = { scopeHardware: true } satisfies Prisma.AuditInclude;
type ScopedAudit = Prisma.AuditGetPayload<{ include: typeof withScope }>;

/** What an audit is to be scoped by. */
interface Scope {
  readonly hardware: EnvironmentRow['hardware'];
  readonly facts: Facts;
}

interface NextScope extends Scope {
  readonly environmentId: string | null;
}

/** An audit with what becomes of its items. */
interface RescopedAudit {
  readonly audit: ScopedAudit;
  readonly items: readonly Rescoped[];
}

/** Scopes audits anew when their environment changes: what comes in, goes out, and is to be looked at again. */
@Injectable()
export class ScopingService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly environments: EnvironmentsService,
    private readonly rules: RulesService,
    private readonly index: SearchIndex,
  ) {}

  /** What a change of an environment would do; nothing is written. */
  async preview(viewer: Viewer, input: UpdateEnvironmentInput): Promise<EnvironmentChange> {
    const current = await this.environments.require(viewer, 'READ_PROJECT', input.id);
    const next = await this.environments.changed(current, input);
    const rules = await this.rules.rules();
    const rescoped = await this.rescoped(this.db, rules, { environmentId: current.id }, next);
    return this.changeOf(this.db, rules, current, { ...next, environmentId: current.id }, rescoped);
  }

  /** Changes an environment, and scopes the open audits in it anew, all at once. */
  async update(viewer: Viewer, input: UpdateEnvironmentInput): Promise<EnvironmentChange> {
    const current = await this.environments.require(viewer, 'MANAGE_PROJECT', input.id);
    const next = await this.environments.changed(current, input);
    const rules = await this.rules.rules();
    const scope = { ...next, environmentId: current.id };
    return once(this.db, viewer, 'updateEnvironment', input, async (tx) => {
      await this.environments.save(tx, viewer, current, input.version, next);
      const made = await this.rescope(tx, rules, viewer, { environmentId: current.id }, scope);
      return this.changeOf(tx, rules, current, scope, made);
    });
  }

  /** What another environment would do to an audit; nothing is written. */
  async previewAudit(viewer: Viewer, auditId: string, environmentId: string | null): Promise<EnvironmentChange> {
    const audit = await this.audits.require(viewer, 'READ_PROJECT', auditId);
    const next = await this.scopeOf(audit.projectId, environmentId);
    const rules = await this.rules.rules();
    const rescoped = await this.rescoped(this.db, rules, { id: auditId }, next);
    return this.changeOf(this.db, rules, await this.scopeOfAudit(this.db, auditId), next, rescoped);
  }

  /** Moves an open audit to another environment of its project. */
  async setAuditEnvironment(viewer: Viewer, input: SetAuditEnvironmentInput): Promise<EnvironmentChange> {
    const audit = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const { environmentId } = input;
    if (environmentId === undefined) throw noEnvironmentGiven();
    const next = await this.scopeOf(audit.projectId, environmentId);
    const rules = await this.rules.rules();
    return once(this.db, viewer, 'setAuditEnvironment', input, async (tx) => {
      if (environmentId !== null) await this.environments.hold(tx, environmentId, next.version);
      const current = await this.audits.touchOpenAt(tx, audit.id, input.version);
      const before = await this.scopeOfAudit(tx, audit.id);
      await this.move(tx, viewer, current, environmentId);
      const made = await this.rescope(tx, rules, viewer, { id: audit.id }, next);
      return this.changeOf(tx, rules, before, next, made);
    });
  }

  private async move(tx: Db, viewer: Viewer, audit: Audit, environmentId: string | null): Promise<void> {
    if (audit.environmentId === environmentId) return;
    await tx.audit.update({ where: { id: audit.id }, data: { environmentId, version: { increment: 1 } } });
    const [before, after] = await Promise.all(
      [audit.environmentId, environmentId].map((one) => nameOfEnvironment(tx, one)),
    );
    await record(tx, viewer, [
      { ...auditSubject(audit), field: 'environment', before: before ?? null, after: after ?? null },
    ]);
  }

  private async scopeOf(projectId: string, environmentId: string | null): Promise<NextScope & { version: number }> {
    if (environmentId === null) return { environmentId, hardware: null, facts: {}, version: 0 };
    const found = await this.environments.inProject(projectId, environmentId);
    return { environmentId, hardware: found.hardware, facts: factsOf(found.facts), version: found.version };
  }

  private async scopeOfAudit(db: Db, id: string): Promise<Scope> {
    const audit = await db.audit.findUniqueOrThrow({ where: { id }, include: withScope });
    return { hardware: audit.scopeHardware, facts: factsOf(audit.scopeFacts) };
  }

  /** The open audits among these with what becomes of their items, archived ones too: they may come back. Newest first. */
  private async rescoped(
    db: Db,
    rules: Rules,
    where: Prisma.AuditWhereInput,
    next: Scope,
  ): Promise<readonly RescopedAudit[]> {
    const audits = await db.audit.findMany({
      where: { AND: [where, { status: 'OPEN' }] },
      include: withScope,
      orderBy: { id: 'desc' },
    });
    const after = knownOf(next.hardware, next.facts);
    const rescoped: RescopedAudit[] = [];
    for (const audit of audits) {
      const rows = await db.auditItem.findMany({
        where: { auditId: audit.id },
        select: scopedItem,
        orderBy: { position: 'asc' },
      });
      const before = knownOf(audit.scopeHardware, factsOf(audit.scopeFacts));
      const differences = differencesOf(rules, before, after);
      rescoped.push({ audit, items: rows.map((row) => rescopedItem(row, rules, after, differences)) });
    }
    return rescoped;
  }

  /** Scopes one open audit anew, as a change of its environment does, in the caller's transaction. */
  async rescopeIn(tx: Db, rules: Rules, viewer: Viewer, auditId: string, next: Scope): Promise<void> {
    await this.rescope(tx, rules, viewer, { id: auditId }, next);
  }

  private async rescope(
    tx: Db,
    rules: Rules,
    viewer: Viewer,
    where: Prisma.AuditWhereInput,
    next: Scope,
  ): Promise<readonly RescopedAudit[]> {
    // Whoever changes an item of these audits waits until they are scoped anew, and then gets CONFLICT
    await touchOpenAudits(tx, where);
    const rescoped = await this.rescoped(tx, rules, where, next);
    for (const { audit, items } of rescoped) {
      const changed = items.filter(isChanged);
      await writeScope(tx, changed);
      await tx.audit.update({
        where: { id: audit.id },
        data: { scopeFacts: toJson(next.facts), scopeHardwareId: next.hardware?.id ?? null, scopedAt: new Date() },
      });
      await record(
        tx,
        viewer,
        changed.flatMap((item) => changesOf(item, viewer)),
      );
      if (audit.scopeHardwareId !== (next.hardware?.id ?? null)) {
        const said = items.filter(({ row }) => hasWords(row));
        const keys = said.map(({ row }) => ({ kind: 'AUDIT_ITEM' as const, subjectId: row.id }));
        await this.index.moveTo(tx, next.hardware?.slug ?? null, keys);
      }
    }
    return rescoped;
  }

  private async changeOf(
    db: Db,
    rules: Rules,
    before: { readonly hardware: EnvironmentRow['hardware']; readonly facts: unknown },
    next: NextScope,
    rescoped: readonly RescopedAudit[],
  ): Promise<EnvironmentChange> {
    const { environmentId } = next;
    const known = knownOf(before.hardware, factsOf(before.facts));
    return {
      environmentId,
      hardwareId: next.hardware?.id ?? null,
      facts: next.facts,
      differences: differencesOf(rules, known, knownOf(next.hardware, next.facts))
        .slice(0, PAGE_LIMIT)
        .map(({ key, before: old, after }) => ({
          key,
          name: nameOfKey(key, rules.registry.vocabulary),
          before: old,
          after,
        })),
      closedAuditCount:
        environmentId === null ? 0 : await db.audit.count({ where: { environmentId, status: 'CLOSED' } }),
      auditCount: rescoped.length,
      audits: rescoped.slice(0, PAGE_LIMIT).map(toAuditScopeChange),
    };
  }
}

function differencesOf(rules: Rules, before: KnownFacts, after: KnownFacts): readonly EnvironmentDifference[] {
  const inWords = storedFactsReader(rules.registry.words);
  return environmentDifferences({
    before: inWords(before.facts),
    after: inWords(after.facts),
    declared: [],
    tiers: rules.registry.tiers,
  });
}

function rescopedItem(
  row: ScopedItemRow,
  rules: Rules,
  after: KnownFacts,
  differences: readonly EnvironmentDifference[],
): Rescoped {
  const predicate = toPredicate(row.releaseItem?.revision.applicability);
  const next = row.releaseItem === null ? asBefore(row) : rules.answer(row.releaseItem.revision.applicability, after);
  const item = {
    ...row,
    isMeasured: row.measuredProof !== null,
    keys: withRechecks(predicateKeys(predicate), row.releaseItem?.revision.recheckOn ?? []),
  };
  const change = scopeChange(item, next, differences, rules.registry.vocabulary);
  return { row, next, change, cause: change.recheck && joinedCause(causeOf(row), change.recheck) };
}

/** Of an item of one audit alone no rule says anything: it applies because somebody added it. */
function asBefore({ applies, appliesReasons, isPast }: ScopedItemRow): Answer {
  return { answer: applies, reasons: textsOf(appliesReasons), isPast, missing: [] };
}

/** What a result hangs on: the versions that the predicate bounds, and the facts that the item names. */
function withRechecks({ all, versions }: PredicateKeys, named: readonly string[]): PredicateKeys {
  return { all, versions: new Set([...versions, ...named]) };
}

/** An item about which the rules say something else, or that gets a mark. */
function isChanged({ row, next, cause }: Rescoped): boolean {
  const reasons = textsOf(row.appliesReasons);
  return (
    cause !== null ||
    row.applies !== next.answer ||
    row.isPast !== next.isPast ||
    reasons.length !== next.reasons.length ||
    reasons.some(({ en, zh }, index) => en !== next.reasons[index]?.en || zh !== next.reasons[index]?.zh)
  );
}

function changesOf({ row, next, cause }: Rescoped, viewer: Viewer): readonly Change[] {
  const subject = itemSubject(row);
  const [reason] = next.reasons;
  return [
    ...(row.applies === next.answer
      ? []
      : [
          {
            ...subject,
            field: 'applies',
            before: row.applies,
            after: next.answer,
            reason: reason ? textIn(reason, viewer.locale) : null,
          },
        ]),
    ...(cause === null
      ? []
      : [
          {
            ...subject,
            field: 'recheck',
            before: row.recheckCode,
            after: 'ENVIRONMENT_CHANGED',
            reason: textIn(cause, viewer.locale),
          },
        ]),
  ];
}

async function nameOfEnvironment(tx: Db, id: string | null): Promise<string | null> {
  return id === null ? null : (await tx.environment.findUniqueOrThrow({ where: { id } })).name;
}

/** Whether the search knows of the item: of one of this audit alone it always does. */
function hasWords({ releaseItem, remark, reason, expectation }: ScopedItemRow): boolean {
  return releaseItem === null || remark !== null || reason !== null || expectation !== null;
}

function toAuditScopeChange({ audit, items: all }: RescopedAudit): AuditScopeChange {
  const items = all.filter(({ row }) => !row.isArchived);
  const count = (effect: ScopeEffect) => items.filter(({ change }) => change.effects.includes(effect)).length;
  const counts: ScopeCounts = {
    comesIn: count('COMES_IN'),
    goesOut: count('GOES_OUT'),
    answerChanged: count('ANSWER_CHANGED'),
    recheck: count('RECHECK'),
    noLongerNeeded: count('NO_LONGER_NEEDED'),
    unchanged: items.filter(({ change }) => change.effects.length === 0).length,
  };
  const changes = items.filter(({ change }) => change.effects.length > 0).map(toItemScopeChange);
  return { auditId: audit.id, counts, changes };
}

function toItemScopeChange({ row, next, change }: Rescoped): ItemScopeChange {
  const { id, releaseItemId, applies, appliesReasons, isPast } = row;
  return {
    auditItemId: id,
    releaseItemId: releaseItemId ?? '',
    effects: [...change.effects],
    before: { answer: applies, reasons: textsOf(appliesReasons), isPast },
    after: toApplicability(next),
    cause: change.recheck,
  };
}

function noEnvironmentGiven() {
  return invalidInput({
    en: 'environmentId is missing: the id of an environment, or null for none',
    zh: '缺少 environmentId：请给出环境的 id，或以 null 表示不设环境',
  });
}

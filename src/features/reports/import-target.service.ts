import { Injectable } from '@nestjs/common';
import type { KnownFacts } from '../../domain/applicability/facts.js';
import { DomainError, invalidInput } from '../../domain/errors.js';
import type { Permission } from '../../domain/permissions.js';
import type { BothLanguages } from '../../domain/locale.js';
import type { Facts } from '../../domain/measurement/environment-diff.js';
import type { FactRules } from '../../domain/measurement/normal-facts.js';
import { normalizeFacts, redactFacts } from '../../domain/measurement/redact.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import type { RecordProblem } from '../../domain/report/read-record.js';
import { missingRights, ownAcceptances, ownOverrides } from '../../domain/report/record-rights.js';
import type { HardwareProfile, Metric } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { knownOf, RulesService, type Rules } from '../catalog/rules.service.js';
import { PeopleService } from '../projects/people.service.js';
import { RecordedPeople, type Standing } from './recorded-people.js';

/** An item of a release in this installation. */
export interface TargetItem {
  readonly id: string;
  readonly key: string;
  readonly applicability: unknown;
}

/** A machine as it can be here. */
interface Machine {
  readonly hardware: HardwareProfile | null;
  readonly facts: Facts;
}

/** What of this installation a record is about. */
export interface ImportTarget {
  readonly projectId: string;
  readonly releaseId: string;
  /** Of the release of the audit, in its order. */
  readonly items: readonly TargetItem[];
  /** Of all releases that the record names, by version and key. */
  readonly itemOf: (version: string, key: string) => TargetItem | null;
  readonly rules: Rules;
  readonly factRules: FactRules;
  readonly known: KnownFacts;
  readonly scope: Machine;
  readonly environment: (Machine & { readonly name: string }) | null;
  readonly people: RecordedPeople;
  /** Notes that items were adopted from, by the ids that the record has. */
  readonly notes: ReadonlyMap<string, string>;
  readonly metrics: ReadonlyMap<string, Metric>;
  readonly clonedFromId: string | null;
  readonly problems: readonly RecordProblem[];
}

/** Finds what a record is about: its checklist, hardware, people, notes and metrics, as they are here. */
@Injectable()
export class ImportTargetService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly catalog: CatalogService,
    private readonly rules: RulesService,
    private readonly people: PeopleService,
  ) {}

  /** INVALID_INPUT names a release that is to be imported first; all else that does not fit is a problem. */
  async of(viewer: Viewer, projectId: string, record: AuditRecord): Promise<ImportTarget> {
    const problems: RecordProblem[] = [];
    const releases = await this.releases(viewer, record);
    const own = releases.get(record.checklist.version);
    if (!own) throw noRelease(record.checklist.slug, [record.checklist.version]);
    const itemOf = (version: string, key: string) => releases.get(version)?.items.get(key) ?? null;
    problems.push(...itemProblems(record, itemOf, own));
    const scope = await this.machine(record.scope, 'scope', problems);
    const granted = await this.access.permissionsIn(projectId, viewer);
    const standing = standingOf(granted);
    const [members, machines] = [await this.people.ofProject(projectId), await this.people.machinesOf(projectId)];
    const people = new RecordedPeople(members, viewer.id, standing, machines);
    problems.push(...missingRights(record, granted), ...ownOverrides(record));
    if (standing === 'RESTORES') problems.push(...ownAcceptances(record, (person) => people.idOf(person)));
    const { environment } = record;
    const machine = environment && (await this.machine(environment, 'environment', problems));
    return {
      projectId,
      releaseId: own.id,
      items: [...own.items.values()],
      itemOf,
      rules: await this.rules.rules(),
      factRules: await this.rules.factRules(),
      known: knownOf(scope.hardware, scope.facts),
      scope,
      environment: environment && machine && { ...machine, name: environment.name },
      people,
      notes: await this.notes(viewer, record, problems),
      metrics: await this.metrics(projectId, record, problems),
      clonedFromId: await this.clonedFrom(projectId, record, problems),
      problems,
    };
  }

  private async releases(viewer: Viewer, { checklist, items }: AuditRecord) {
    const named = items.flatMap(({ release, recheck }) => [release, recheck?.release ?? null]);
    const versions = [...new Set([checklist.version, ...named.filter((version) => version !== null)])];
    const rows = await this.db.release.findMany({
      where: {
        version: { in: versions },
        checklist: { AND: [await this.catalog.visibleTo(viewer), { slug: checklist.slug }] },
      },
      include: {
        sections: { select: { key: true } },
        items: {
          orderBy: { position: 'asc' },
          select: { id: true, key: true, revision: { select: { applicability: true } } },
        },
      },
    });
    const missing = versions.filter((version) => !rows.some((row) => row.version === version));
    if (missing.length > 0) throw noRelease(checklist.slug, missing);
    return new Map(
      rows.map(({ version, id, digest, sections, items: found }) => [
        version,
        {
          id,
          digest,
          sections: new Set(sections.map(({ key }) => key)),
          items: new Map(
            found.map(({ revision, ...one }) => [one.key, { ...one, applicability: revision.applicability }]),
          ),
        },
      ]),
    );
  }

  /** Facts in our words, without what tells of people and machines, and the hardware profile if there is such one. */
  private async machine(
    { hardware, facts }: AuditRecord['scope'] | NonNullable<AuditRecord['environment']>,
    place: string,
    problems: RecordProblem[],
  ): Promise<Machine> {
    const found = hardware && (await this.db.hardwareProfile.findUnique({ where: { slug: hardware.slug } }));
    if (hardware && !found) {
      problems.push({
        place: `${place}.hardware`,
        message: {
          en: `There is no hardware profile "${hardware.slug}" here; what it says of the machine is not known`,
          zh: `此处没有硬件配置“${hardware.slug}”，其所述的机器信息未知`,
        },
        isBlocking: false,
      });
    }
    const clean = redactFacts(normalizeFacts(facts, `${place}.facts`)).facts;
    try {
      return { hardware: found, facts: await this.rules.inKnownWords(clean, `${place}.facts`) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problems.push({ place: `${place}.facts`, message: error.text, isBlocking: true });
      return { hardware: found, facts: clean };
    }
  }

  /** The notes that items were adopted from: by id, a reference note also by slug. */
  private async notes(viewer: Viewer, record: AuditRecord, problems: RecordProblem[]): Promise<Map<string, string>> {
    const named = record.items.flatMap(({ key, adoptedFrom }) => (adoptedFrom ? [{ key, note: adoptedFrom }] : []));
    if (named.length === 0) return new Map();
    const rows = await this.db.note.findMany({
      where: {
        OR: [
          { id: { in: named.map(({ note }) => note.id) } },
          { slug: { in: named.flatMap(({ note }) => note.slug ?? []) } },
        ],
      },
      select: { id: true, slug: true, projectId: true },
    });
    const visible = await this.access.allVisible(viewer, rows);
    const notes = new Map<string, string>();
    for (const { key, note } of named) {
      const found = visible.find(({ id, slug }) => id === note.id || (slug !== null && slug === note.slug));
      if (found) notes.set(note.id, found.id);
      else problems.push({ place: `items.${key}.adoptedFrom`, message: noNote(note.title), isBlocking: false });
    }
    return notes;
  }

  private async metrics(projectId: string, record: AuditRecord, problems: RecordProblem[]) {
    const rows = await this.db.metric.findMany({
      where: { key: { in: record.metrics.map(({ key }) => key) }, scope: { in: ['', projectId] } },
      orderBy: { scope: 'desc' },
    });
    // The metric of the catalog comes last and stands before one that the project named itself
    const metrics = new Map(rows.map((metric) => [metric.key, metric]));
    record.metrics.forEach(({ key, unit, direction, isOwn }, index) => {
      const known = metrics.get(key);
      if (known ? known.unit === unit && known.direction === direction : isOwn) return;
      const place = `metrics[${index}]`;
      problems.push({ place, message: otherMetric(key, known ?? null), isBlocking: true });
    });
    return metrics;
  }

  private async clonedFrom(projectId: string, { audit }: AuditRecord, problems: RecordProblem[]) {
    if (audit.clonedFrom === null) return null;
    const found = await this.db.audit.findFirst({ where: { id: audit.clonedFrom, projectId }, select: { id: true } });
    if (found) return found.id;
    problems.push({
      place: 'audit.clonedFrom',
      message: {
        en: 'The audit that it was cloned from is not in this project',
        zh: '该项目中没有其克隆来源的审计',
      },
      isBlocking: false,
    });
    return null;
  }
}

/** Whose word a file is, for somebody with these rights. */
function standingOf(granted: readonly Permission[]): Standing {
  return granted.includes('MANAGE_PROJECT') ? 'RESTORES' : 'STANDS_FOR_ALL';
}

function noRelease(slug: string, versions: readonly string[]) {
  return invalidInput(
    {
      en: `There is no release ${versions.join(', ')} of the checklist "${slug}" here; import it first with importChecklist`,
      zh: `此处没有清单“${slug}”的版本 ${versions.join('、')}；请先用 importChecklist 导入`,
    },
    { place: 'checklist', checklist: slug, versions },
  );
}

function itemProblems(
  { items, checklist }: AuditRecord,
  itemOf: ImportTarget['itemOf'],
  { digest, sections }: { readonly digest: string; readonly sections: ReadonlySet<string> },
): readonly RecordProblem[] {
  const problems: RecordProblem[] = [];
  const say = (place: string, message: BothLanguages, isBlocking: boolean) =>
    problems.push({ place, message, isBlocking });
  if (checklist.digest !== digest) {
    say(
      'checklist.digest',
      {
        en: `Release ${checklist.version} of "${checklist.slug}" says something else here than where the file was written`,
        zh: `清单“${checklist.slug}”的版本 ${checklist.version} 在此处的内容与导出时不同`,
      },
      false,
    );
  }
  const noItem = (key: string, version: string): BothLanguages => ({
    en: `Release ${version} has no item "${key}" here`,
    zh: `此处的版本 ${version} 没有条目“${key}”`,
  });
  items.forEach(({ key, section, release, isArchived, recheck }, index) => {
    const place = `items[${index}]`;
    if (release === null && !sections.has(section)) {
      say(
        `${place}.section`,
        {
          en: `Release ${checklist.version} has no section "${section}"; it has ${[...sections].join(', ')}`,
          zh: `版本 ${checklist.version} 没有章节“${section}”，现有 ${[...sections].join('、')}`,
        },
        true,
      );
    }
    if (release !== null && !itemOf(release, key)) say(`${place}.key`, noItem(key, release), true);
    if (release !== null && !isArchived && release !== checklist.version) {
      say(
        `${place}.release`,
        {
          en: `is ${release}, and the audit is on ${checklist.version}: only archived items are of another release`,
          zh: `为 ${release}，而审计所用版本为 ${checklist.version}：只有已归档的条目可以属于其他版本`,
        },
        true,
      );
    }
    const old = recheck?.release ?? null;
    if (old !== null && !itemOf(old, key)) say(`items.${key}.recheck`, noItem(key, old), false);
  });
  return problems;
}

function noNote(title: { readonly en: string | null; readonly zh: string | null }): BothLanguages {
  return {
    en: `The note “${title.en ?? title.zh ?? ''}” is not here, or not for you to see: what was adopted stays, the link does not`,
    zh: `此处没有调优笔记“${title.zh ?? title.en ?? ''}”，或您无权查看：采纳的内容保留，链接不保留`,
  };
}

function otherMetric(key: string, known: Metric | null): BothLanguages {
  return known
    ? {
        en: `The metric "${key}" is in ${known.unit} here, ${known.direction ?? 'without a direction'}`,
        zh: `此处的指标“${key}”单位为 ${known.unit}，方向为 ${known.direction ?? '无'}`,
      }
    : { en: `There is no metric "${key}" here`, zh: `此处没有指标“${key}”` };
}

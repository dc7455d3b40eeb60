import { Injectable } from '@nestjs/common';
import { digestOf } from '../../domain/content/digest.js';
import { conflict, invalidInput, notFound } from '../../domain/errors.js';
import type { Facts } from '../../domain/measurement/environment-diff.js';
import { normalizeFacts, redactFacts } from '../../domain/measurement/redact.js';
import { requiredText } from '../../domain/text-limits.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { constraintOf } from '../../platform/database/constraint.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import { groupByKey, oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { Applicability, Item } from '../catalog/catalog.types.js';
import { DetectionService } from '../catalog/detection.service.js';
import type { ApplicabilityReport } from '../catalog/detection.types.js';
import { knownOf, RulesService, toApplicability } from '../catalog/rules.service.js';
import type { Environment, UpdateEnvironmentInput } from './projects.types.js';

/** An environment with its hardware. */
export type EnvironmentRow = Prisma.EnvironmentGetPayload<{ include: { hardware: true } }>;

/** What an environment is to be. */
export interface EnvironmentData {
  readonly name: string;
  readonly hardware: EnvironmentRow['hardware'];
  readonly facts: Facts;
}

/** The environments of projects, and what applies in them. */
@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly catalog: CatalogService,
    private readonly rules: RulesService,
    private readonly detection: DetectionService,
  ) {}

  readonly ofProject = perRequest(async (projectIds: readonly string[]): Promise<Environment[][]> => {
    const rows = await this.db.environment.findMany({
      where: { projectId: { in: [...projectIds] } },
      orderBy: { id: 'asc' },
    });
    return groupByKey(projectIds, rows, ({ projectId }) => projectId);
  });

  readonly byId = perRequest(async (ids: readonly string[]) => {
    const rows = await this.db.environment.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  /** The environment with its hardware, if the viewer has this right in its project; NOT_FOUND for a stranger. */
  async require(viewer: Viewer, needed: Parameters<Access['require']>[1], id: string): Promise<EnvironmentRow> {
    const found = await this.db.environment.findUnique({ where: { id }, include: { hardware: true } });
    return this.access.require(viewer, needed, found, noEnvironment(id));
  }

  /** An environment of a project; NOT_FOUND where the project has no such one. */
  async inProject(projectId: string, id: string): Promise<EnvironmentRow> {
    const found = await this.db.environment.findUnique({ where: { id }, include: { hardware: true } });
    if (found?.projectId !== projectId) throw noEnvironment(id);
    return found;
  }

  /** The environment of a project to open an audit in: the one named, else the only one or the one named `default`. */
  async forAudit(projectId: string, environmentId: string | null) {
    if (environmentId !== null) return this.inProject(projectId, environmentId);
    const all = await this.db.environment.findMany({ where: { projectId }, include: { hardware: true } });
    const [only] = all;
    return all.length === 1 && only ? only : (all.find(({ name }) => name === 'default') ?? null);
  }

  /** What an environment would be after a change; INVALID_INPUT names what cannot be. */
  async changed(
    current: EnvironmentRow,
    input: Omit<UpdateEnvironmentInput, 'id' | 'version'>,
  ): Promise<EnvironmentData> {
    const { name, hardware, facts, factChanges } = input;
    const whole = facts === undefined ? factsOf(current.facts) : await this.givenFacts(facts, 'facts');
    const changes = await this.givenFacts(factChanges, 'factChanges');
    const merged = Object.entries({ ...whole, ...changes }).filter(
      ([key, value]) => value !== null || !(key in changes),
    );
    return {
      name: name === undefined ? current.name : requiredText(name ?? '', 'name'),
      hardware:
        hardware === undefined ? current.hardware : hardware === null ? null : await this.catalog.profile(hardware),
      facts: normalizeFacts(Object.fromEntries(merged), 'facts'),
    };
  }

  /** Writes a change of an environment; CONFLICT where it changed meanwhile, or where the name is taken. */
  async save(tx: Db, viewer: Viewer, current: EnvironmentRow, version: number, next: EnvironmentData): Promise<void> {
    const { id, projectId } = current;
    if (current.version !== version) throw staleEnvironment(current, version);
    const before = { name: current.name, hardware: current.hardware?.slug ?? null, facts: factsOf(current.facts) };
    const after = { name: next.name, hardware: next.hardware?.slug ?? null, facts: next.facts };
    const fields = (['name', 'hardware', 'facts'] as const).filter(
      (field) => digestOf(before[field]) !== digestOf(after[field]),
    );
    if (next.name !== current.name) {
      const taken = await tx.environment.findUnique({ where: { projectId_name: { projectId, name: next.name } } });
      if (taken) throw environmentTaken(next.name);
    }
    const data = {
      name: next.name,
      hardwareId: next.hardware?.id ?? null,
      facts: toJson(next.facts),
      ...(fields.length > 0 ? { version: { increment: 1 } } : {}),
    };
    const { count } = await tx.environment
      .updateMany({ where: { id, version }, data })
      .catch((error: unknown): never => {
        if (constraintOf(error) === 'Environment_projectId_name_key') throw environmentTaken(next.name);
        throw error;
      });
    if (count === 0) {
      const found = await tx.environment.findUniqueOrThrow({ where: { id }, include: { hardware: true } });
      throw staleEnvironment(found, version);
    }
    const change = { projectId, subject: 'environment', subjectId: id } as const;
    const json = (value: string | Facts | null) =>
      value !== null && typeof value === 'object' ? toJson(value) : value;
    await record(
      tx,
      viewer,
      fields.map((field) => ({ ...change, field, before: json(before[field]), after: json(after[field]) })),
    );
  }

  /** Keeps an environment as it is until the end of the transaction; CONFLICT where it is not what was read before. */
  async hold(tx: Db, id: string, version: number): Promise<void> {
    const rows = await tx.$queryRaw<{ version: number }[]>`
      SELECT "version" FROM "Environment" WHERE "id" = ${id} FOR SHARE`;
    if (rows[0]?.version === version) return;
    throw conflict(
      { en: 'The environment changed at this moment; try again', zh: '环境恰在此时发生变化，请重试' },
      { current: { id, version: rows[0]?.version ?? null } },
    );
  }

  /** Whether an item applies to an environment; NOT_FOUND where the viewer may not see the environment. */
  async applicabilityIn(viewer: Viewer, request: object, item: Item, environmentId: string): Promise<Applicability> {
    const found = await this.access.visible(viewer, await this.byId(request).load(environmentId));
    if (!found) throw noEnvironment(environmentId);
    const { hardwareId, facts } = found;
    const hardware = hardwareId === null ? null : await this.catalog.profileById(request).load(hardwareId);
    const { answer } = await this.rules.rules();
    return toApplicability(answer(item.predicate, knownOf(hardware, factsOf(facts))));
  }

  /** What of a checklist applies to a machine; INVALID_INPUT where an environment and something else are given. */
  async applicabilityReport(
    viewer: Viewer,
    of: { readonly checklist: string; readonly version: string | null },
    machine: { readonly hardware?: string | null; readonly facts?: unknown; readonly environmentId: string | null },
  ): Promise<ApplicabilityReport> {
    const typed = await this.given(machine);
    if (machine.environmentId === null) {
      const profile = typeof machine.hardware === 'string' ? await this.catalog.profile(machine.hardware) : null;
      return this.detection.report(viewer, of, knownOf(profile, typed?.facts ?? {}));
    }
    if (typed !== null) {
      throw invalidInput({
        en: 'Give either environmentId, or hardware and facts',
        zh: '请给出 environmentId，或给出 hardware 与 facts，二者择一',
      });
    }
    const found = await this.db.environment.findUnique({
      where: { id: machine.environmentId },
      include: { hardware: true },
    });
    const environment = await this.access.visible(viewer, found);
    if (!environment) throw noEnvironment(machine.environmentId);
    return this.detection.report(viewer, of, knownOf(environment.hardware, factsOf(environment.facts)));
  }

  /** What is known of an environment by its facts and its hardware, as one snapshot for a run. */
  snapshot(
    environment: { hardware: { facts: unknown; name: string; slug: string } | null; facts: unknown } | null,
  ): Facts {
    if (!environment) return {};
    return { ...(environment.hardware ? factsOf(environment.hardware.facts) : {}), ...factsOf(environment.facts) };
  }

  /** What somebody typed of a machine; null where nothing was given. */
  async given(input: { hardware?: string | null; facts?: unknown }) {
    const { hardware, facts } = input;
    if ((hardware ?? null) === null && (facts ?? null) === null) return null;
    const profile = hardware === null || hardware === undefined ? null : await this.catalog.profile(hardware);
    return { hardwareId: profile?.id ?? null, facts: await this.givenFacts(facts, 'facts') };
  }

  /** Adds an environment; CONFLICT where the name is taken. */
  async insert(
    tx: Db,
    viewer: Viewer,
    data: { projectId: string; name: string; hardwareId: string | null; facts: Facts },
  ): Promise<string> {
    const { projectId, name } = data;
    const taken = await tx.environment.findUnique({ where: { projectId_name: { projectId, name } } });
    if (taken) throw environmentTaken(name);
    try {
      const { id } = await tx.environment.create({ data: { ...data, facts: toJson(data.facts) } });
      await record(tx, viewer, [
        {
          projectId,
          subject: 'environment',
          subjectId: id,
          field: 'created',
          after: toJson({ name, facts: data.facts }),
        },
      ]);
      return id;
    } catch (error) {
      if (constraintOf(error) === 'Environment_projectId_name_key') throw environmentTaken(name);
      throw error;
    }
  }

  /** Facts that somebody typed: flat, in the words of the rules, without secrets and names. */
  private async givenFacts(facts: unknown, place: string): Promise<Facts> {
    if (facts === null || facts === undefined) return {};
    return this.rules.inKnownWords(redactFacts(normalizeFacts(facts, place)).facts, place);
  }
}

function noEnvironment(id: string) {
  return notFound({ en: `There is no environment "${id}" in this project`, zh: `该项目中没有环境“${id}”` }, { id });
}

function staleEnvironment({ id, version, name, hardware, facts }: EnvironmentRow, given: number) {
  return conflict(
    {
      en: `This environment changed meanwhile: it is at version ${version}, and your change is based on ${given}`,
      zh: `该环境已被修改：当前版本为 ${version}，而本次修改基于 ${given}`,
    },
    { current: { id, version, name, hardware: hardware?.slug ?? null, facts } },
  );
}

function environmentTaken(name: string) {
  return conflict(
    { en: `The project has an environment "${name}" already`, zh: `该项目已有名为“${name}”的环境` },
    { current: { name } },
  );
}

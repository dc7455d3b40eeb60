import { Injectable } from '@nestjs/common';
import { checkFleet, requireCurrency } from '../../domain/derived/fleet.js';
import { conflict, invalidInput } from '../../domain/errors.js';
import type { Fleet as FleetRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { Fleet, SetFleetInput } from './fleet.types.js';

const figures = [
  'gpus',
  'busyShare',
  'hoursPerMonth',
  'currency',
  'pricePerGpuHour',
  'pricePerKwh',
  'pue',
  'powerPerGpu',
  'pricePerEngineeringHour',
] as const;

const storedPrices = ['pricePerGpuHour', 'pricePerKwh', 'pricePerEngineeringHour'] as const;

type Figures = Pick<FleetRow, (typeof figures)[number]>;

/** What the GPUs of projects cost and how much they work. */
@Injectable()
export class FleetService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
  ) {}

  /** The fleets of projects that the viewer may see; null where nothing is set. */
  readonly ofProject = perRequest(async (projectIds: readonly string[]): Promise<(Fleet | null)[]> => {
    const rows = await this.db.fleet.findMany({ where: { projectId: { in: [...projectIds] } } });
    return oneByKey(projectIds, rows, ({ projectId }) => projectId);
  });

  /** Changes the fleet of a project; CONFLICT where it changed meanwhile. */
  async set(viewer: Viewer, input: SetFleetInput): Promise<Fleet> {
    const { projectId, version } = input;
    await this.projects.require(viewer, 'MANAGE_PROJECT', projectId);
    checkFleet(input, '');
    await once(this.db, viewer, 'setFleet', input, async (tx) => {
      const current = await tx.fleet.findUnique({ where: { projectId } });
      if ((current?.version ?? 0) !== version) throw staleFleet(current, version);
      const next = changed(current, input);
      const fields = figures.filter((field) => (current?.[field] ?? null) !== next[field]);
      if (fields.length === 0 && current) return projectId;
      await save(tx, current, projectId, next);
      const change = { projectId, subject: 'project', subjectId: projectId } as const;
      await record(
        tx,
        viewer,
        fields.map((field) => ({
          ...change,
          field: `fleet.${field}`,
          before: current?.[field] ?? null,
          after: next[field],
        })),
      );
      return projectId;
    });
    return this.db.fleet.findUniqueOrThrow({ where: { projectId } });
  }
}

/** What the fleet is to be; INVALID_INPUT for prices that would stand in another currency than they were given in. */
function changed(current: FleetRow | null, input: SetFleetInput): Figures {
  const figure = (key: Exclude<(typeof figures)[number], 'currency'>) =>
    input[key] === undefined ? (current?.[key] ?? null) : input[key];
  const currency = input.currency === undefined ? (current?.currency ?? null) : input.currency;
  const next = {
    gpus: figure('gpus'),
    busyShare: figure('busyShare'),
    hoursPerMonth: figure('hoursPerMonth'),
    currency,
    pricePerGpuHour: figure('pricePerGpuHour'),
    pricePerKwh: figure('pricePerKwh'),
    pue: figure('pue'),
    powerPerGpu: figure('powerPerGpu'),
    pricePerEngineeringHour: figure('pricePerEngineeringHour'),
  };
  requireCurrency(next, '');
  const before = current?.currency ?? null;
  const kept = storedPrices.find((key) => input[key] === undefined && typeof current?.[key] === 'number');
  if (before !== null && currency !== before && kept !== undefined) {
    throw invalidInput(
      {
        en: `${kept} is in ${before}: with the currency ${currency ?? 'cleared'} give it anew, or null`,
        zh: `${kept} 以 ${before} 计价：改用 ${currency ?? '空货币'} 时请重新给出，或设为 null`,
      },
      { place: kept, currency: before },
    );
  }
  return next;
}

/** Checks and writes in one statement, so that two changes at one moment cannot both count. */
async function save(tx: Db, current: FleetRow | null, projectId: string, next: Figures): Promise<void> {
  const { count } = current
    ? await tx.fleet.updateMany({
        where: { projectId, version: current.version },
        data: { ...next, version: { increment: 1 }, updatedAt: new Date() },
      })
    : await tx.fleet.createMany({ data: [{ ...next, projectId }], skipDuplicates: true });
  if (count > 0) return;
  throw staleFleet(await tx.fleet.findUnique({ where: { projectId } }), current?.version ?? 0);
}

function staleFleet(current: FleetRow | null, given: number) {
  const version = current?.version ?? 0;
  return conflict(
    {
      en: `The fleet of this project changed meanwhile: it is at version ${version}, and your change is based on ${given}`,
      zh: `该项目的集群设置已被修改：当前版本为 ${version}，而本次修改基于 ${given}`,
    },
    { current: { version, ...(current ? Object.fromEntries(figures.map((key) => [key, current[key]])) : {}) } },
  );
}

import { Injectable } from '@nestjs/common';
import { comparabilityOf, environmentDifferences } from '../../domain/measurement/environment-diff.js';
import { storedFactsReader } from '../../domain/measurement/normal-facts.js';
import { factsOfRun } from '../../domain/measurement/trial.js';
import { textList } from '../../domain/text-limits.js';
import type { Run as RunRow } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import { RulesService } from '../catalog/rules.service.js';
import type { RunDifferences } from './run-differences.types.js';

/** What two runs differ in, before anybody makes a trial of them. */
@Injectable()
export class RunDifferencesService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly rules: RulesService,
  ) {}

  /** Null where the viewer may not see one of them. */
  async of(
    viewer: Viewer,
    beforeId: string,
    afterId: string,
    given: readonly string[],
  ): Promise<RunDifferences | null> {
    const declared = textList(given, 'variable', 100);
    const [before, after] = [await this.seen(viewer, beforeId), await this.seen(viewer, afterId)];
    if (!before || !after) return null;
    const { tiers, words } = await this.rules.factRules();
    const inWords = storedFactsReader(words);
    const differences = environmentDifferences({
      before: inWords(factsIn(before)),
      after: inWords(factsIn(after)),
      declared,
      tiers,
    });
    const [metricsBefore, metricsAfter] = [await this.metricsOf(beforeId), await this.metricsOf(afterId)];
    return {
      comparability: comparabilityOf(differences),
      differences: differences.map(({ isDeclared, ...difference }) => ({ ...difference, declared: isDeclared })),
      commonMetrics: metricsBefore.filter((key) => metricsAfter.includes(key)),
    };
  }

  private async seen(viewer: Viewer, id: string): Promise<RunRow | null> {
    return this.access.visible(viewer, await this.db.run.findUnique({ where: { id } }));
  }

  private async metricsOf(runId: string): Promise<string[]> {
    const rows = await this.db.metric.findMany({
      where: { observations: { some: { runId } } },
      select: { key: true },
      orderBy: { key: 'asc' },
    });
    return rows.map(({ key }) => key);
  }
}

function factsIn({ environment, workload, variant }: RunRow) {
  return factsOfRun({ environment: factsOf(environment), workload: factsOf(workload), variant });
}

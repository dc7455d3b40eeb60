import { Injectable } from '@nestjs/common';
import { error, warning, type ImportProblem } from '../../domain/importers/importer.js';
import type { DifferenceTier, Facts } from '../../domain/measurement/environment-diff.js';
import {
  conflictText,
  conflictValue,
  joinedFacts,
  type FactConflict,
  type FactSource,
} from '../../domain/measurement/joined-facts.js';
import { normalFacts, normalPrintedFacts, type NormalWords } from '../../domain/measurement/normal-facts.js';
import { optionalText, TEXT_LIMITS, textList } from '../../domain/text-limits.js';
import { RulesService } from '../catalog/rules.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import type { MeasuredRun } from './import-measuring.js';
import type { ImportRunInput } from './imports.types.js';
import { givenFacts, givenWorkload } from './typed-measurement.js';

/** What the caller says of all runs of a file. */
export interface ImportContext {
  readonly environment: Facts;
  readonly workload: Facts;
  /** Of an environment of the project. */
  readonly known: { readonly environment: Facts; readonly workload: Facts };
  readonly session: string | null;
  readonly block: string | null;
  readonly override: readonly string[];
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
  readonly words: NormalWords;
}

/** A run with all that is known of it. */
export interface JoinedRun extends MeasuredRun {
  /** Who said the facts that are not of the file, by key. */
  readonly sources: Readonly<Record<string, Exclude<FactSource, 'FILE'>>>;
}

/** What an import says beside the file: facts of the caller and of an environment of the project. */
@Injectable()
export class ImportContexts {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly rules: RulesService,
  ) {}

  /** INVALID_INPUT for facts that cannot be kept; NOT_FOUND for an environment that the project does not have. */
  async of(projectId: string, input: ImportRunInput): Promise<ImportContext> {
    const words = await this.rules.normalWords();
    const { environmentId } = input;
    const found =
      typeof environmentId === 'string' ? await this.environments.inProject(projectId, environmentId) : null;
    return {
      environment: normalFacts(givenFacts(input.environment, 'environment'), words, 'environment'),
      workload: normalFacts(givenWorkload(input.workload, 'workload'), words, 'workload'),
      known: byKind(normalPrintedFacts(this.environments.snapshot(found), words)),
      session: optionalText(input.session, 'session', TEXT_LIMITS.name),
      block: optionalText(input.block, 'block', TEXT_LIMITS.name),
      override: textList(input.override ?? [], 'override', 100),
      tiers: await this.rules.tiers(),
      words,
    };
  }
}

/** What hardware can do is no fact of a run. */
function byKind(facts: Facts): { environment: Facts; workload: Facts } {
  const entries = Object.entries(facts).filter(([key]) => !key.startsWith('capability.') && key !== 'capabilities');
  const isWorkload = ([key]: readonly [string, unknown]) => key.startsWith('workload.');
  return {
    environment: Object.fromEntries(entries.filter((entry) => !isWorkload(entry))),
    workload: Object.fromEntries(entries.filter(isWorkload)),
  };
}

/** The runs with the context laid over them; where somebody says something else than the file, that is a problem. */
export function joined(
  runs: readonly MeasuredRun[],
  context: ImportContext,
): { runs: JoinedRun[]; problems: ImportProblem[] } {
  const conflicts = new Map<string, FactConflict>();
  const all = runs.map((run): JoinedRun => {
    const [environment, workload] = (['environment', 'workload'] as const).map((kind) => {
      const file = normalPrintedFacts(run[kind], context.words);
      const said = { file, caller: context[kind], environment: context.known[kind] };
      const facts = joinedFacts(said, context.tiers, context.override);
      for (const conflict of facts.conflicts) conflicts.set(JSON.stringify(conflict), conflict);
      return facts;
    });
    return {
      ...run,
      environment: environment?.facts ?? {},
      workload: workload?.facts ?? {},
      sources: { ...environment?.sources, ...workload?.sources },
      session: context.session ?? run.session,
      block: context.block ?? run.block,
    };
  });
  return { runs: all, problems: [...conflicts.values()].map(toProblem) };
}

function toProblem(conflict: FactConflict): ImportProblem {
  const { en, zh } = conflictText(conflict);
  const value = conflictValue(conflict);
  return conflict.isBlocking
    ? error(null, en, zh, { code: 'FACT_CONTRADICTED', value })
    : warning(null, en, zh, { code: 'FACT_DIFFERS', value });
}

import { counted } from './commands/counted.js';
import { dataOf, withService } from './local-service.js';
import { OperatorError } from './platform/explain.js';

const FIND_PROJECT = 'query($slug: String!) { project(slug: $slug) { id } }';
const RECOMPUTE = `
  mutation($input: RecomputeProjectInput!) {
    recomputeProject(input: $input) {
      methodVersion trialCount newCount leftOutCount changedCount
      changed {
        trial { id primaryMetric { key } auditItem { item { key } audit { title } } }
        verdictBefore verdictAfter evidenceBefore evidenceAfter
      }
    }
  }`;

interface Changed {
  readonly trial: {
    readonly id: string;
    readonly primaryMetric: { readonly key: string };
    readonly auditItem: { readonly item: { readonly key: string }; readonly audit: { readonly title: string } };
  };
  readonly verdictBefore: string;
  readonly verdictAfter: string;
  readonly evidenceBefore: string;
  readonly evidenceAfter: string;
}

interface Answer {
  readonly recomputeProject: {
    readonly methodVersion: string;
    readonly trialCount: number;
    readonly newCount: number;
    readonly leftOutCount: number;
    readonly changedCount: number;
    readonly changed: readonly Changed[];
  };
}

/** Computes the trials of a project anew and prints which verdicts change, one line each. */
export async function recomputeProject(slug: string, options: { readonly dryRun?: true }): Promise<void> {
  await withService(async (service) => {
    const { project } = dataOf<{ project: { id: string } | null }>(await service.ask(FIND_PROJECT, { slug }));
    if (!project) throw new OperatorError(`There is no project "${slug}"`);
    const input = { projectId: project.id, ...options };
    const { recomputeProject: report } = dataOf<Answer>(await service.ask(RECOMPUTE, { input }));
    const { methodVersion, trialCount, newCount, leftOutCount, changedCount, changed } = report;
    const verb = options.dryRun ? 'would get' : 'got';
    console.log(`${counted(trialCount, 'trial')} by method ${methodVersion}: ${newCount} ${verb} another computation`);
    if (leftOutCount > 0) console.log(`${counted(leftOutCount, 'trial')} of closed audits and archived items left out`);
    console.log(`${changedCount} ${verb} another verdict or evidence`);
    for (const { trial, verdictBefore, verdictAfter, evidenceBefore, evidenceAfter } of changed) {
      const before = `${verdictBefore} (${evidenceBefore})`;
      const place = `${trial.auditItem.audit.title} · ${trial.auditItem.item.key} · ${trial.primaryMetric.key}`;
      console.log(`  ${trial.id} ${place}: ${before} → ${verdictAfter} (${evidenceAfter})`);
    }
  });
}

import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Checklist } from '../catalog/catalog.types.js';
import { ChecklistExportsService } from './checklist-exports.service.js';
import { ChecklistImportsService } from './checklist-imports.service.js';
import { ChecklistImportReport, ImportChecklistInput } from './content.types.js';

@Resolver(() => ChecklistImportReport)
export class ChecklistImportsResolver {
  constructor(
    private readonly imports: ChecklistImportsService,
    private readonly catalog: CatalogService,
  ) {}

  @Mutation(() => ChecklistImportReport, {
    description:
      "A file becomes a team's own checklist, which only they see. A changed file becomes a new release, the one that it names or the next one; equal " +
      'content is not written again.',
  })
  importChecklist(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ImportChecklistInput,
  ): Promise<ChecklistImportReport> {
    return this.imports.importChecklist(viewer, input);
  }

  @ResolveField(() => Checklist, { nullable: true, description: 'The checklist; null for a dry run' })
  checklist(@Parent() report: ChecklistImportReport, @Context() request: RequestContext): Promise<Checklist | null> {
    if (report.releaseId === null) return Promise.resolve(null);
    return this.catalog.checklistOfRelease(request).load(report.releaseId);
  }
}

@Resolver(() => Checklist)
export class ChecklistBundleResolver {
  constructor(private readonly exports: ChecklistExportsService) {}

  @ResolveField(() => String, {
    description: 'The whole release as a YAML bundle, which importChecklist reads again without loss',
  })
  bundle(@Parent() checklist: Checklist): Promise<string> {
    return this.exports.bundleOf(checklist.releaseId);
  }
}

import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { AuditItem } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Item } from '../catalog/catalog.types.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { Comparison, Trial } from '../measurements/measurements.types.js';
import { SearchHit } from '../search/search.types.js';
import { KnowledgeService } from './knowledge.service.js';
import { AdoptNoteInput, Note, NoteConnection, NoteFilter, PublishNoteInput } from './knowledge.types.js';

@Resolver(() => Note)
export class NotesResolver {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
    private readonly measurements: MeasurementsService,
  ) {}

  @Query(() => Note, { nullable: true, description: 'One note, if the viewer may see it' })
  note(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the note' }) id: string,
  ): Promise<Note | null> {
    return this.knowledge.find(viewer, id);
  }

  @Query(() => NoteConnection, { description: 'The notes that the viewer may see, newest first' })
  notes(
    @CurrentViewer() viewer: Viewer,
    @Filter(NoteFilter)
    filter: NoteFilter | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<NoteConnection> {
    return this.knowledge.list(viewer, filter ?? {}, { first, after });
  }

  @Mutation(() => Note, { description: 'Publishes what was learned, from an audit item or free-standing' })
  publishNote(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: PublishNoteInput,
  ): Promise<Note> {
    return this.knowledge.publish(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description:
      'Puts a past optimization into an audit as a plan: change and expectation are copied, nothing is verified',
  })
  async adoptNote(
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @Args('input', { description: 'What to do' }) input: AdoptNoteInput,
  ): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(await this.knowledge.adopt(viewer, input));
  }

  @ResolveField(() => [Item], {
    description: 'The items that it is about, as their newest release has them, as far as the viewer may see them',
  })
  async items(
    @Parent() note: Note,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
  ): Promise<Item[]> {
    const ids = await this.knowledge.itemIdsOfNote(request).load(note.id);
    return this.catalog.newestItems(viewer, request, ids);
  }

  @ResolveField(() => [Trial], { description: 'The trials that show it' })
  async trials(@Parent() note: Note, @Context() request: RequestContext): Promise<Trial[]> {
    const ids = await this.knowledge.trialIdsOfNote(request).load(note.id);
    const trials = await Promise.all(ids.map((id) => this.measurements.trialById(request).load(id)));
    return trials.filter((trial) => trial !== null);
  }

  @ResolveField(() => [Comparison], {
    description:
      'What the measurements of a reference note say, primary metric first; those of the note of a project stand with its trials',
  })
  comparisons(@Parent() note: Note, @Context() request: RequestContext): Promise<Comparison[]> {
    return this.measurements.comparisonsOfNote(request).load(note.id);
  }

  @ResolveField(() => [AuditItem], {
    description:
      'Where it was adopted, as far as the viewer may see; their trials tell what was measured there. The newest 100.',
  })
  async adoptions(
    @Parent() note: Note,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
  ): Promise<AuditItem[]> {
    const ids = await this.knowledge.adoptions(viewer, request, note.id);
    const items = await Promise.all(ids.map((id) => this.audits.itemById(request).load(id)));
    return items.filter((item) => item !== null);
  }
}

@Resolver(() => AuditItem)
export class AuditItemOriginResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @ResolveField(() => Note, {
    nullable: true,
    description: 'The note that it was adopted from, if the viewer may see it',
  })
  async adoptedFrom(
    @Parent() item: AuditItem,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
  ): Promise<Note | null> {
    if (item.adoptedFromId === null) return null;
    return this.knowledge.visibleNote(viewer, request, item.adoptedFromId);
  }
}

@Resolver(() => SearchHit)
export class NoteHitResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @ResolveField(() => Note, { nullable: true, description: 'The note, for a hit of kind NOTE' })
  note(@Parent() hit: SearchHit, @Context() request: RequestContext): Promise<Note | null> {
    if (hit.kind !== 'NOTE') return Promise.resolve(null);
    return this.knowledge.noteById(request).load(hit.id);
  }
}

import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditItem } from '../audits/audits.types.js';
import { Run, Trial } from '../measurements/measurements.types.js';
import { PeopleService } from '../projects/people.service.js';
import { Person, Project } from '../projects/projects.types.js';
import { AttachmentsService } from './attachments.service.js';
import { EvidenceService } from './evidence.service.js';
import {
  AttachEvidenceInput,
  Attachment,
  DetachEvidenceInput,
  Evidence,
  EvidenceConnection,
} from './evidence.types.js';

@Resolver(() => Evidence)
export class EvidenceResolver {
  constructor(
    private readonly evidence: EvidenceService,
    private readonly people: PeopleService,
  ) {}

  @Query(() => Evidence, { name: 'evidence', nullable: true, description: 'One file, if the viewer may see it' })
  one(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the evidence' }) id: string,
  ): Promise<Evidence | null> {
    return this.evidence.find(viewer, id);
  }

  @ResolveField(() => String, { description: 'Where its bytes are, on the service that answers' })
  url(@Parent() evidence: Evidence): string {
    return `/evidence/${evidence.id}`;
  }

  @ResolveField(() => Person, { nullable: true, description: 'Who brought it; null where nobody wrote it down' })
  createdBy(@Parent() evidence: Evidence, @Context() request: RequestContext): Promise<Person | null> {
    if (evidence.createdById === null) return Promise.resolve(null);
    return this.people.byId(request).load(evidence.createdById);
  }
}

@Resolver(() => Attachment)
export class AttachmentsResolver {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly people: PeopleService,
  ) {}

  @Mutation(() => Attachment, {
    description: 'Attaches a file to an audit item, a trial or a run. What is attached already gets CONFLICT.',
  })
  attachEvidence(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: AttachEvidenceInput,
  ): Promise<Attachment> {
    return this.attachments.attach(viewer, input);
  }

  @Mutation(() => Attachment, { description: 'Takes a file off what it is attached to. Files are never removed.' })
  detachEvidence(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: DetachEvidenceInput,
  ): Promise<Attachment> {
    return this.attachments.detach(viewer, input);
  }

  @ResolveField(() => Evidence, {
    nullable: true,
    description: 'The file itself; null where it came with an imported audit and the project does not have its bytes',
  })
  evidence(@Parent() attachment: Attachment, @Context() request: RequestContext): Promise<Evidence | null> {
    return this.attachments.evidence(request).load(attachment);
  }

  @ResolveField(() => Person, {
    nullable: true,
    description: 'Who attached it; null for one that came with an imported audit',
  })
  createdBy(@Parent() attachment: Attachment, @Context() request: RequestContext): Promise<Person | null> {
    if (attachment.createdById === null) return Promise.resolve(null);
    return this.people.byId(request).load(attachment.createdById);
  }

  @ResolveField(() => String, { description: 'The name of who attached it, also where it came with an imported audit' })
  async createdByName(@Parent() attachment: Attachment, @Context() request: RequestContext): Promise<string> {
    const person = await this.createdBy(attachment, request);
    return person?.name ?? attachment.createdByName ?? '';
  }
}

@Resolver(() => Project)
export class ProjectEvidenceResolver {
  constructor(private readonly evidence: EvidenceService) {}

  @ResolveField('evidence', () => EvidenceConnection, { description: 'The files of the project, newest first' })
  list(
    @Parent() project: Project,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<EvidenceConnection> {
    return this.evidence.ofProject(request).load({ parentId: project.id, page: { first, after } });
  }
}

@Resolver(() => Run)
export class RunEvidenceResolver {
  constructor(
    private readonly files: EvidenceService,
    private readonly attached: AttachmentsService,
  ) {}

  @ResolveField(() => Evidence, { nullable: true, description: 'The file that it was read from, where it is kept' })
  evidence(@Parent() run: Run, @Context() request: RequestContext): Promise<Evidence | null> {
    return this.files.ofRun(request).load(run.id);
  }

  @ResolveField(() => [Attachment], { description: 'The files that are attached to it, oldest first' })
  attachments(@Parent() run: Run, @Context() request: RequestContext): Promise<Attachment[]> {
    return this.attached.ofRun(request).load(run.id);
  }
}

@Resolver(() => Trial)
export class TrialAttachmentsResolver {
  constructor(private readonly attached: AttachmentsService) {}

  @ResolveField(() => [Attachment], { description: 'The files that are attached to it, oldest first' })
  attachments(@Parent() trial: Trial, @Context() request: RequestContext): Promise<Attachment[]> {
    return this.attached.ofTrial(request).load(trial.id);
  }
}

@Resolver(() => AuditItem)
export class AuditItemAttachmentsResolver {
  constructor(private readonly attached: AttachmentsService) {}

  @ResolveField(() => [Attachment], { description: 'The files that are attached to it, oldest first' })
  attachments(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Attachment[]> {
    return this.attached.ofItem(request).load(item.id);
  }
}

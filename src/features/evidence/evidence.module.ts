import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AttachmentsService } from './attachments.service.js';
import { EvidenceController } from './evidence.controller.js';
import {
  AttachmentsResolver,
  AuditItemAttachmentsResolver,
  EvidenceResolver,
  ProjectEvidenceResolver,
  RunEvidenceResolver,
  TrialAttachmentsResolver,
} from './evidence.resolver.js';
import { EvidenceService } from './evidence.service.js';

@Module({
  imports: [ProjectsModule, AuditsModule],
  controllers: [EvidenceController],
  providers: [
    EvidenceService,
    AttachmentsService,
    EvidenceResolver,
    AttachmentsResolver,
    ProjectEvidenceResolver,
    RunEvidenceResolver,
    TrialAttachmentsResolver,
    AuditItemAttachmentsResolver,
  ],
})
export class EvidenceModule {}

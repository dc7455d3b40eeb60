import { Controller, Get, Head, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../../platform/auth/authenticate.js';
import { EvidenceStore } from '../../platform/evidence/evidence-store.js';
import { HttpErrorFilter } from '../../platform/http/http-error.filter.js';
import { sendEvidence } from './download.js';
import { EvidenceService, noEvidence } from './evidence.service.js';
import { receiveFiles } from './upload.js';

/** The bytes of evidence files, which GraphQL is not made for. */
@Controller()
@UseFilters(HttpErrorFilter)
export class EvidenceController {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly evidence: EvidenceService,
    private readonly store: EvidenceStore,
  ) {}

  /** One file or several; 201 where any of them is new to the project. */
  @Post('projects/:project/evidence')
  @RouteConfig({ takesFiles: true })
  async upload(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('project') project: string,
  ): Promise<void> {
    const viewer = await this.authenticator.viewerOf(request);
    const projectId = await this.evidence.requireUploads(viewer, project);
    const added = await this.evidence.add(viewer, projectId, await receiveFiles(request, this.store));
    const [only, ...others] = added.map(({ id, sha256, size, fileName, mediaType, isNew }) => ({
      id,
      sha256,
      size,
      fileName,
      mediaType,
      isNew,
    }));
    await reply.code(added.some(({ isNew }) => isNew) ? 201 : 200).send(others.length === 0 ? only : [only, ...others]);
  }

  // Before the one of GET: Fastify would make its own of that, which reads all bytes for nothing
  @Head('evidence/:id')
  describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    return this.download(request, reply, id);
  }

  @Get('evidence/:id')
  async download(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const viewer = await this.authenticator.viewerOf(request);
    const found = await this.evidence.find(viewer, id);
    if (!found) throw noEvidence(id);
    await sendEvidence(request, reply, found, this.store);
  }
}

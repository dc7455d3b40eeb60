import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectTokensResolver, ServiceTokensResolver } from './service-tokens.resolver.js';
import { ServiceTokensService } from './service-tokens.service.js';

@Module({
  imports: [ProjectsModule],
  providers: [ServiceTokensService, ServiceTokensResolver, ProjectTokensResolver],
})
export class AccountsModule {}

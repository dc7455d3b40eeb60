import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CONTENT_FOLDER, shippedContent } from './content-files.js';
import { ContentService } from './content.service.js';

@Module({
  imports: [CatalogModule],
  providers: [{ provide: CONTENT_FOLDER, useValue: shippedContent }, ContentService],
  exports: [ContentService],
})
export class ContentModule {}

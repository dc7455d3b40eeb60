import { defineConfig } from 'prisma/config';

// The command line looks for a native schema engine before it does anything, even where it needs none: `generate`,
// `validate` and `format` run on the WebAssembly that the package holds. Any existing file keeps it from a download.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= './package.json';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://localhost/unused' },
});

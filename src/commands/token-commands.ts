import { Option, type Command } from 'commander';
import type { CreateOptions } from '../token-commands.js';

/** Adds the commands about service tokens. */
export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Service tokens, by which CI jobs act without your rights');
  token
    .command('create')
    .description(
      'Make a token. Its secret is printed once, alone on the standard output; all else goes to the other one.',
    )
    .argument('<projects...>', 'slugs of the projects that it is for')
    .requiredOption('--name <name>', 'what to call it: the history says so of what it does')
    .addOption(
      new Option('--right <right>', 'what it is for: ingest imports runs and makes trials, read-only reads')
        .choices(['ingest', 'read-only'])
        .default('ingest'),
    )
    .option(
      '--expires <time>',
      'when it ends: from now, as 12h, 90d or 4w, or the last day (UTC), as 2027-01-31; in 90 days where absent',
    )
    .action(async (slugs: readonly string[], options: CreateOptions) =>
      (await import('../token-commands.js')).createToken(slugs, options),
    );
  token
    .command('list')
    .description('Print the tokens of a project, newest first')
    .argument('<project>', 'slug of the project')
    .action(async (slug: string) => (await import('../token-commands.js')).listTokens(slug));
  token
    .command('revoke')
    .description('End a token at once, in all its projects')
    .argument('<id>', 'id of the token, as list prints it')
    .action(async (id: string) => (await import('../token-commands.js')).revokeToken(id));
}

#!/usr/bin/env node
// The command line of Tunebook: prepares the working copy, then runs the command.
import { run } from './run.mjs';

await run('cli.js', 130);

#!/usr/bin/env node
// The command line of Tunebook: prepares the working copy, then runs the command.
import { run } from './run.mjs';

// 1 would tell a pipeline that something got slower.
await run('cli.js', 130, process.argv[2] === 'gate' ? 70 : 1);

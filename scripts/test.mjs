// `npm test`: prepares the working copy, then checks format, lint and types, and runs the specs.
// Arguments go to Jest, and then only Jest runs: `npm test -- test/api/audits.spec.ts`.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Interrupted, ended, orExplain, prepare, root, say } from './prepare.mjs';

const checks = [
  { title: 'format', program: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level=warn', '.'] },
  { title: 'lint', program: 'eslint/bin/eslint.js', args: ['--max-warnings=0', '.'] },
  { title: 'types', program: 'typescript/bin/tsc', args: ['-p', 'tsconfig.check.json'] },
];
const results = join(root, '.cache/jest.json');
const jestArgs = process.argv.slice(2);

await orExplain(prepare, 130);
await orExplain(async () => {
  const failed = [];
  if (jestArgs.length === 0) for (const check of checks) if (!(await passes(check))) failed.push(check.title);

  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(results, { force: true });
  const jest = {
    title: 'specs',
    program: 'jest/bin/jest.js',
    // A process that ran many specs needs more than the usual 0.5 s to give its memory back; one that a spec keeps from
    // ending is stopped all the same.
    args: ['--workerGracefulExitTimeout=10000', '--json', `--outputFile=${results}`, ...jestArgs],
    // PGlite and the application are ES modules, which Jest runs only with this.
    env: { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim() },
  };
  if (!(await passes(jest))) failed.push(jest.title);

  if (failed.length > 0) say(`\nFailed: ${failed.join(', ')}`);
  if (jestArgs.length === 0) for (const line of skippedGroups()) say(line);
  console.log(`\n${counts()}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}, 130);

async function passes({ title, program, args, env }) {
  const began = performance.now();
  say(`\n# ${title}`);
  const child = spawn(process.execPath, [join('node_modules', program), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const { code, signal } = await ended(child);
  if (signal !== null) throw new Interrupted(signal);
  say(`${title} ${code === 0 ? 'passed' : 'failed'} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return code === 0;
}

/** One line for each group of specs that was skipped: its title says why. */
function skippedGroups() {
  const groups = new Map();
  for (const { assertionResults } of readResults()?.testResults ?? []) {
    for (const { status, ancestorTitles, title } of assertionResults) {
      if (status !== 'pending' && status !== 'todo') continue;
      const group = ancestorTitles[0] ?? title;
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
  }
  return [...groups].map(([group, count]) => `Skipped ${count}: ${group}`);
}

/** The closing line. A spec file that could not be run counts as one failure. */
function counts() {
  const jest = readResults();
  if (jest === null) return '0 passed, 1 failed, 0 skipped'; // Jest ended before it ran anything
  const failed = jest.numFailedTests + jest.numRuntimeErrorTestSuites;
  return `${jest.numPassedTests} passed, ${failed} failed, ${jest.numPendingTests + jest.numTodoTests} skipped`;
}

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

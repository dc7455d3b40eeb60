import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Programs that say what a machine is. */
const programs: readonly (readonly [string, ...string[]])[] = [
  ['nvidia-smi', '-q'],
  ['nvidia-smi', 'topo', '-m'],
  ['rocm-smi', '--showproductname', '--showdriverversion'],
  ['npu-smi', 'info'],
  ['lscpu'],
  ['numactl', '--hardware'],
  ['ibstat'],
  ['nvcc', '--version'],
  ['uname', '-a'],
];

const WITHIN_MS = 30_000;

/** What the tools of this machine print, those that are there, one after the other. */
export async function machineOutput(): Promise<string> {
  const texts = await Promise.all([...programs.map(outputOf), readFile('/etc/os-release', 'utf8').catch(() => '')]);
  return texts.filter((text) => text.trim() !== '').join('\n');
}

/** Empty for a program that is not there, or that fails: others may know as much. */
function outputOf([program, ...args]: readonly [string, ...string[]]): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' };
    execFile(program, args, { timeout: WITHIN_MS, maxBuffer: 10_000_000, env }, (error, stdout) =>
      resolve(error ? '' : stdout),
    );
  });
}

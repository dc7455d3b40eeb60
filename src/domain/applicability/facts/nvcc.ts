import { plainLine } from './fact-lines.js';
import type { FactReader, ToolReading } from './reader.js';

/** `nvcc --version`: the CUDA toolkit that is installed, as `13.0.88`, or as `13.0` where only the release is printed. */
export const nvcc: FactReader = {
  tools: ['nvcc --version'],
  read: ({ lines }) => lines.flatMap((_, index) => readingAt(lines, index) ?? []),
};

const release = /^Cuda compilation tools, release (\d{1,3}\.\d{1,3})(?:, V(\d{1,3}(?:\.\d{1,4}){1,3}))?$/;

function readingAt(lines: readonly string[], index: number): ToolReading | null {
  const [matched, short, full] = release.exec(plainLine(lines[index])) ?? [];
  const value = full ?? short;
  if (matched === undefined || value === undefined) return null;
  const head = headAbove(lines, index);
  if (head && head.tool !== 'nvcc') return null;
  const line = index + 1;
  const isBuild = /^Build (?:cuda_|local)/.test(plainLine(lines[index + 1]));
  return {
    tool: 'nvcc --version',
    firstLine: head ? head.index + 1 : line,
    lastLine: isBuild ? line + 1 : line,
    findings: [{ key: 'cuda.toolkit', value, line }],
    problems: [],
  };
}

/** ptxas, cuobjdump and others end with the same lines, and Triton brings a ptxas of its own. */
function headAbove(lines: readonly string[], index: number): { readonly tool: string; readonly index: number } | null {
  for (let at = index - 1; at >= Math.max(0, index - 3); at -= 1) {
    const text = plainLine(lines[at]);
    const tool = /^(\w{1,20}): NVIDIA \(R\) /.exec(text)?.[1];
    if (tool) return { tool, index: at };
    if (!/^(?:Copyright|Built on)/.test(text)) return null;
  }
  return null;
}

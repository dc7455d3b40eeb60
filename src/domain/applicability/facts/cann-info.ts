import type { FactReader, ToolReading, ToolText } from './reader.js';

/**
 * The file `ascend_toolkit_install.info` (or that of the runtime) which CANN installs: lines `key=value` that begin with
 * the name of the package. Kernels and operators have files of the same form, and are not read.
 */
export const cannInfo: FactReader = {
  tools: ['cat ascend_toolkit_install.info'],
  read({ lines }: ToolText): readonly ToolReading[] {
    return lines.flatMap((line, index) => (packages.test(line) ? readAt(lines, index) : []));
  },
};

const packages = /^[\s>]*package_name=Ascend-cann-(?:toolkit|nnrt|nnae)\s*$/;

function readAt(lines: readonly string[], start: number): readonly ToolReading[] {
  let end = start + 1;
  while (/^[\s>]*[a-z_]{1,40}=/.test(lines[end] ?? '') && !packages.test(lines[end] ?? '')) end += 1;
  const version = /^[\s>]*version=(\d[\w.-]*)\s*$/;
  const at = lines.slice(start, end).findIndex((line) => version.test(line));
  const value = version.exec(lines[start + at] ?? '')?.[1];
  if (at < 0 || value === undefined) return [];
  const findings = [{ key: 'cann', value, line: start + at + 1 }];
  return [{ tool: 'cat ascend_toolkit_install.info', firstLine: start + 1, lastLine: end, findings, problems: [] }];
}

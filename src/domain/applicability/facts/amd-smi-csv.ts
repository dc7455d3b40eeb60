import { driverVersion } from './amd-smi-devices.js';
import { amdDevice, amdReading, foundAs, isOfOtherVendor, printed, release, type ValueAt } from './amd-smi-fields.js';
import { extentAt } from './amd-smi-text.js';
import type { ToolReading } from './reader.js';

/** `amd-smi version`, `list` and `static` with `--csv`: a line of names and one line for each device. */
export function readAmdCsv(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => {
    if (/^tool,version,amdsmi_library_version,/.test(line)) return readVersion(lines, index);
    if (/^gpu,gpu_bdf,gpu_uuid\b/.test(line)) return readDevices(lines, index, 'amd-smi list --csv');
    const isStatic =
      /^gpu,/.test(line) && /,(?:market_name|max_pcie_width|compute_partition|target_graphics_version),/.test(line);
    return isStatic ? readDevices(lines, index, 'amd-smi static --csv') : [];
  });
}

function readVersion(lines: readonly string[], index: number): readonly ToolReading[] {
  const at = rowAt(cellsOf(lines[index]), cellsOf(lines[index + 1]), index + 2);
  const driver = printed(at('amdgpu_version') ?? at('driver_version'), driverVersion);
  const found = [...foundAs('driver', driver), ...foundAs('rocm', printed(at('rocm_version'), release))];
  return amdReading({ tool: 'amd-smi version --csv', firstLine: index + 1, lastLine: index + 2 }, [], 'ALL', found);
}

/**
 * The names are those of the text without their sections, so that `version` may be that of the VBIOS or of the driver:
 * neither is read.
 */
function readDevices(lines: readonly string[], start: number, tool: string): readonly ToolReading[] {
  const names = cellsOf(lines[start]);
  const rows: { readonly gpu: string; readonly line: number; readonly at: ValueAt }[] = [];
  for (let index = start + 1; index < lines.length; index += 1) {
    const cells = cellsOf(lines[index]);
    const [gpu = ''] = cells;
    if (cells.length !== names.length || !/^\d{1,4}$/.test(gpu)) break;
    rows.push({ gpu, line: index + 1, at: rowAt(names, cells, index + 1) });
  }
  if (rows.some(({ at }) => isOfOtherVendor(at))) return [];
  const isCut = (lines[start + 1 + rows.length] ?? '').startsWith(`${rows.length},`);
  const devices = rows.map(({ gpu, line, at }) => amdDevice(Number(gpu), line, at));
  const region = { tool, firstLine: start + 1, lastLine: start + 1 + rows.length };
  return amdReading(region, devices, extentAt(lines, start, isCut), []);
}

function rowAt(names: readonly string[], cells: readonly string[], line: number): ValueAt {
  return (path) => {
    const [section = '', ...inner] = path.split('.');
    const name = inner.length === 0 ? section : inner.join('_');
    if (name === 'version' || (name === 'driver_version' && section === 'driver')) return undefined;
    const value = cells[columnOf(names, name)];
    return value === undefined ? undefined : { value, line };
  };
}

const columnOf = (names: readonly string[], name: string): number =>
  names.findIndex((each) => each.toLowerCase() === name || (name === 'bdf' && each === 'gpu_bdf'));

/** Cells of one line; quotes hold commas. */
function cellsOf(line: string | undefined): readonly string[] {
  return [...(line ?? '').trim().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

import { describe, expect, it } from '@jest/globals';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { cannInfo } from './cann-info.js';

describe('ascend_toolkit_install.info', () => {
  it('reads the version of the toolkit, and not that of the kernels', () => {
    const text = output('cann-info/toolkit-and-kernels.txt');
    expect(facts(cannInfo, text)).toEqual({ cann: '8.1.RC1' });
    expect(read(cannInfo, text)[0]).toMatchObject({ firstLine: 2, lastLine: 8, findings: [{ line: 3 }] });
  });

  it.each(['8.0.RC3', '8.0.0', '9.2.0-beta.2'])('reads %s, quoted and indented', (version) => {
    expect(facts(cannInfo, `> package_name=Ascend-cann-nnrt\r\n>  version=${version}\r\n`)).toEqual({ cann: version });
  });

  it.each([
    ['a version without its package', 'version=8.0.RC3\narch=aarch64\n'],
    ['a package of another vendor', 'package_name=other\nversion=8.0\n'],
    ['a version behind other text', 'package_name=Ascend-cann-toolkit\n\nversion=8.0.RC3\n'],
    ['a version of npu-smi', '| npu-smi 24.1.rc3                 Version: 24.1.rc3 |\n'],
  ])('leaves %s alone', (_, text) => {
    expect(read(cannInfo, text)).toEqual([]);
  });

  it('survives broken text', () => {
    expect(faultsWhenBroken(cannInfo, [output('cann-info/toolkit-and-kernels.txt')])).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../test/support/ends.js';
import { privateThings, type PrivateKind } from './private-things.js';

const uuid = '12345678-1234-1234-1234-1234567890ab';

describe('privateThings', () => {
  it.each<[PrivateKind, number, readonly string[]]>([
    ['SERIAL_NUMBER', 1, ['    Serial Number                         : 1320012345678']],
    ['SERIAL_NUMBER', 1, ['GPU[0]\t\t: Serial Number: PCB012345-0001']],
    ['SERIAL_NUMBER', 1, ['\t\t<serial>1320012345678</serial>', '  "serial": "1320012345678",']],
    ['SERIAL_NUMBER', 2, ['serial_no=ABCD1234', 'SERIAL: WXYZ5678']],
    ['UUID', 1, [`    GPU UUID                              : GPU-${uuid}`, `GPU-${uuid.toUpperCase()}`]],
    ['UUID', 2, [`GPU 0: NVIDIA A100 (UUID: GPU-${uuid})`, `  MIG 1g.5gb     Device  0: (UUID: MIG-${uuid})`]],
    ['ADDRESS', 1, ['    link/ether 0c:42:a1:00:00:01 brd ff:ff:ff:ff:ff:ff']],
    ['ADDRESS', 1, ['\t\tPort GUID: 0x0c42a10300000001']],
    ['ADDRESS', 1, ['\tnode_guid:\t\t\t0c42:a103:0000:0001']],
    ['ADDRESS', 2, ['MASTER_ADDR=node1 10.0.0.7 and 192.168.1.20']],
    ['HOST_NAME', 1, ['Linux gpu-node-07 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux']],
    ['HOST_NAME', 1, ['hostname: gpu-node-07', '"host_name": "gpu-node-07"']],
    ['USER_NAME', 2, ['Location: /home/lihua/.local/lib', '/Users/meimei/env']],
  ])('counts %s, %s different: %j', (kind, count, lines) => {
    expect(privateThings(lines)).toEqual([{ kind, count }]);
  });

  it.each([
    ['lihua@gpu-node-07:~$ nvidia-smi'],
    ['root@gpu-node-07:/workspace# nvidia-smi'],
    ['[lihua@gpu-node-07 work]$ nvidia-smi'],
  ])('finds the user and the host of a prompt: %s', (line) => {
    expect(privateThings([line])).toEqual([
      { kind: 'HOST_NAME', count: 1 },
      { kind: 'USER_NAME', count: 1 },
    ]);
  });

  it('lists the kinds in one order, each with how many differ', () => {
    const lines = ['/home/lihua', `UUID: ${uuid}`, 'Serial Number : N12345', '/home/lihua/x', 'Serial Number : N67890'];
    expect(privateThings(lines)).toEqual([
      { kind: 'SERIAL_NUMBER', count: 2 },
      { kind: 'UUID', count: 1 },
      { kind: 'USER_NAME', count: 1 },
    ]);
  });

  it.each([
    ['    Serial Number                         : N/A'],
    ['    Serial Number : 0000000000000'],
    ['    Serial Number : [REDACTED]'],
    ['UUID: GPU-00000000-0000-0000-0000-000000000000'],
    ['    link/ether 00:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff'],
    ['    Bus Id                                : 00000000:1B:00.0'],
    ['pip install torch==2.11.0 package@10.0.0'],
    ['nvidia-curand-cu12        10.3.9.90'],
    ['[conda] nvidia-curand-cu12 10.3.9.90 pypi_0 pypi'],
    ['driver 580.159.03, 8.9.7.29 and 11.10.3.66'],
    ['nvidia-cublas-cu12==12.8.4.1'],
    ['Linux version of the tool'],
    ['mail gpu@example.com for help'],
    [''],
  ])('finds nothing in "%s"', (line) => expect(privateThings([line])).toEqual([]));

  it('passes over lines that are too long to name a machine', () => {
    const named = `hostname: gpu-node-07 ${'x'.repeat(3_950)}`;
    expect(privateThings([named])).toEqual([{ kind: 'HOST_NAME', count: 1 }]);
    expect(privateThings([named + 'x'.repeat(100)])).toEqual([]);
  });

  it('takes time in proportion to the text, also where a line almost has everything', () => {
    const lines = [`serial${' '.repeat(3_900)}`, 'a@'.repeat(1_900), '0a:'.repeat(1_300), 'serial '.repeat(560)];
    ends(() => {
      for (let count = 0; count < 50; count += 1) privateThings(lines);
    });
  });
});

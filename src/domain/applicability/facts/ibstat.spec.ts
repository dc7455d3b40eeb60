import { describe, expect, it } from '@jest/globals';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { ibstat } from './ibstat.js';

describe('ibstat', () => {
  it('counts active InfiniBand ports, and neither Ethernet beside them nor ports that are down', () => {
    const [reading] = read(ibstat, output('ibstat/infiniband-beside-ethernet.txt'));
    expect(reading).toMatchObject({ tool: 'ibstat', firstLine: 1, lastLine: 41, problems: [] });
    expect(reading?.findings).toEqual([
      { key: 'fabric.kind', value: 'infiniband', line: 8 },
      { key: 'fabric.rdma', value: true, line: 8 },
      { key: 'fabric.link_rate', value: 400, line: 8 },
      { key: 'nic.count', value: 2, line: 8 },
    ]);
  });

  it('takes Ethernet for RoCE, and says that the rates differ', () => {
    const text = output('ibstat/ibstatus-two-rates.txt');
    expect(facts(ibstat, text)).toEqual({
      'fabric.kind': 'roce',
      'fabric.rdma': true,
      'fabric.link_rate': [200, 100],
      'nic.count': 2,
    });
    expect(read(ibstat, text)[0]?.problems[0]?.message.en).toMatch(/^Active ports have 2 rates here: 200, 100 Gbit\/s/);
  });

  it('multiplies lanes and their speed', () => {
    expect(facts(ibstat, output('ibstat/ibv-devinfo-verbose.txt'))).toEqual({
      'fabric.kind': 'infiniband',
      'fabric.rdma': true,
      'fabric.link_rate': 400,
      'nic.count': 1,
    });
  });

  it('tells InfiniBand from RoCE by the subnet where no link layer is printed', () => {
    const text = output('ibstat/rdma-link.txt');
    expect(facts(ibstat, text)).toEqual({ 'fabric.kind': 'infiniband', 'fabric.rdma': true, 'nic.count': 2 });
    const ethernet = text.split('\n').slice(2).join('\n');
    expect(facts(ibstat, ethernet)).toEqual({ 'fabric.kind': 'roce', 'fabric.rdma': true, 'nic.count': 1 });
  });

  it('counts no network interfaces where one device was asked for', () => {
    const text = `$ ibstat mlx5_0\n${output('ibstat/infiniband-beside-ethernet.txt').split("CA 'mlx5_1'")[0] ?? ''}`;
    expect(facts(ibstat, text)).toEqual({ 'fabric.kind': 'infiniband', 'fabric.rdma': true, 'fabric.link_rate': 400 });
  });

  it('finds no fabric where no port is active, or where RDMA is in software', () => {
    const down = output('ibstat/infiniband-beside-ethernet.txt').replaceAll('State: Active', 'State: Down');
    const soft = 'link rxe0/1 state ACTIVE physical_state LINK_UP netdev eth0';
    for (const [reading] of [read(ibstat, down), read(ibstat, soft)]) {
      expect(reading?.findings).toEqual([]);
      expect(reading?.problems[0]?.message).toEqual({
        en: 'No InfiniBand or RoCE port here is active',
        zh: '这里没有处于 Active 状态的 InfiniBand 或 RoCE 端口',
      });
    }
  });

  it('reads a second output apart', () => {
    const text = output('ibstat/ibstatus-two-rates.txt');
    expect(read(ibstat, text + text)).toHaveLength(2);
    expect(read(ibstat, `${output('ibstat/rdma-link.txt')}${text}`).map(({ tool }) => tool)).toEqual(['rdma link', 'ibstatus']); // prettier-ignore
  });

  it('reads broken copies without a fault', () => {
    const names = ['infiniband-beside-ethernet', 'ibstatus-two-rates', 'ibv-devinfo-verbose', 'rdma-link'];
    expect(faultsWhenBroken(ibstat, names.map((name) => output(`ibstat/${name}.txt`)))).toEqual([]); // prettier-ignore
  });
});

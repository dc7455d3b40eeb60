import { describe, expect, it } from '@jest/globals';
import { invented, onlyPlace, seen, smiOutput } from '../../../../test/support/nvidia-smi-readings.js';
import { nvidiaSmiXml } from './nvidia-smi-xml.js';

const text = smiOutput('nvidia-smi-xml/two-gpus-one-in-mig.xml');

describe('nvidiaSmiXml', () => {
  it('reads the facts of all GPUs', () => {
    const { facts, lines, place, problems } = onlyPlace(nvidiaSmiXml, text);
    expect(facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 2,
      'gpu.count': 2,
      driver: '570.133.20',
      'driver.cuda': '12.8',
      'gpu.name': 'NVIDIA B200',
      architecture: 'blackwell',
      'gpu.memory': 179.1,
      'gpu.mig': ['enabled', 'none'],
      'gpu.ecc': 'enabled',
      'gpu.persistence': 'enabled',
      'gpu.power_limit': 1000,
      'pcie.generation': 5,
      'pcie.width': 16,
      'host.virtual': false,
    });
    expect([lines['gpu.count'], lines['gpu.name'], lines['gpu.memory']]).toEqual([7, 9, 53]);
    expect([place, problems]).toEqual([[1, 144], []]);
  });

  it('reads an old driver', () => {
    const { facts } = onlyPlace(nvidiaSmiXml, smiOutput('nvidia-smi-xml/old-driver.xml'));
    expect(facts).toMatchObject({ 'gpu.power_limit': 300, 'host.virtual': true, 'gpu.memory': 15.8 });
    expect(facts).not.toHaveProperty(['gpu.mig']);
  });

  it.each([
    ['without indentation', text.replaceAll('\t', '')],
    [
      'indented anew, with a line for each value',
      text.replaceAll('\t', '  ').replace(/<(\w+)>([^<\n]+)</g, '<$1>\n$2\n<'),
    ],
    ['on one line', text.replaceAll('\n', '')],
  ])('reads the same XML %s', (_, other) => {
    expect(onlyPlace(nvidiaSmiXml, other).facts).toEqual(onlyPlace(nvidiaSmiXml, text).facts);
  });

  it('says where the end is missing, and keeps to the lines of the XML', () => {
    const cut = text.slice(0, text.indexOf('<gpu id="00000000:43'));
    const { facts, place, problems } = onlyPlace(
      nvidiaSmiXml,
      `${cut}\n$ lscpu\nCPU(s): 8\nSocket(s): 1\nModel: 1\n<gpu>\n`,
    );
    expect(facts).toMatchObject({ 'gpu.count': 2, 'gpu.mig': 'enabled' });
    expect(place).toEqual([1, 78]);
    expect(problems).toEqual([
      '78 This XML is cut: its end is missing',
      '7 The tool states 2 attached GPUs and prints 1 here',
    ]);
  });

  it('says where lines are missing within, and leaves out the GPU to which they belong', () => {
    const { facts, problems } = onlyPlace(nvidiaSmiXml, text.replace('\t\t</mig_mode>\n', ''));
    expect(facts).toMatchObject({ 'gpu.count': 2, 'gpu.mig': 'none' });
    expect(problems).toEqual(['143 Lines are missing from this XML']);
  });

  it('reads one document after another, and nothing of other XML', () => {
    const other = '<?xml version="1.0"?>\n<topology>\n<driver_version>1.2.3</driver_version>\n</topology>\n';
    const old = smiOutput('nvidia-smi-xml/old-driver.xml');
    expect(seen(nvidiaSmiXml, other)).toEqual([]);
    expect(seen(nvidiaSmiXml, `${text}${other}${old}`).map(({ place }) => place)).toEqual([
      [1, 144],
      [149, 187],
    ]);
  });

  it('invents nothing in damaged text', () => {
    expect(invented(nvidiaSmiXml, text)).toEqual([]);
  });

  it('reads a line that is one long tag in time', () => {
    expect(seen(nvidiaSmiXml, `<nvidia_smi_log>\n<${'a'.repeat(1_000_000)}`)).toEqual([]);
  });
});

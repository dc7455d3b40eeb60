import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../test/support/ends.js';
import { mutated, seeded } from '../../../test/support/mutated-text.js';
import { output } from '../../../test/support/read-facts.js';
import type { FactValue } from '../measurement/environment-diff.js';
import { detect } from './detect.js';
import { factReaders } from './facts/index.js';
import type { FactReader, ReadingProblem } from './facts/reader.js';
import type { MatchableProfile } from './match-profile.js';

type Found = Exclude<FactValue, null>;

type Place = readonly [tool: string, ...facts: (readonly [key: string, value: Found])[]];

/** A reader that finds these facts in any text, one a line: of the first place from line 10 on, of the second from 20. */
function readerOf(...places: readonly Place[]): FactReader {
  return {
    tools: ['one tool', 'another tool'],
    read: () =>
      places.map(([tool, ...facts], place) => ({
        tool,
        firstLine: 10 * (place + 1),
        lastLine: 10 * (place + 1) + 9,
        findings: facts.map(([key, value], index) => ({ key, value, line: 10 * (place + 1) + index })),
        problems: [],
      })),
  };
}

const profile = (slug: string, printed: readonly string[], facts: MatchableProfile['facts']): MatchableProfile => ({
  slug,
  vendor: 'nvidia',
  architecture: 'hopper',
  isGeneric: false,
  printed,
  capabilities: [],
  facts: { vendor: 'nvidia', architecture: 'hopper', ...facts },
});

const profiles: readonly MatchableProfile[] = [
  profile('h200-sxm', ['NVIDIA H200'], {
    'gpu.sku': 'H200 SXM',
    'gpu.memory': 141,
    'gpu.power_limit': 700,
    'gpu.computeCapability': '9.0',
  }),
  profile('gh200', ['NVIDIA GH200 480GB'], { 'gpu.memory': 96, 'gpu.name': 'NVIDIA GH200 480GB' }),
  profile('gh200-nvl2', ['NVIDIA GH200 480GB'], { 'gpu.memory': 96, 'gpu.count': 2 }),
  { ...profile('hopper', [], { 'gpu.computeCapability': '9.0' }), isGeneric: true },
];

const ofReader = (...places: readonly Place[]) => detect('text', [readerOf(...places)], profiles);
const ofText = (...texts: readonly string[]) => detect(texts.join('\n'), factReaders, profiles);

describe('detect', () => {
  it('reads several outputs, whatever their order, and tells where each fact stands', () => {
    const texts = [output('nvcc/toolkit-12-8.txt'), output('nvidia-smi-csv/four-gpus.csv'), output('numactl/two-nodes.txt')];
    const { facts, found, places, contradictions, problems } = ofText(...texts);
    expect(facts).toEqual({
      'cuda.toolkit': '12.8.93',
      driver: '550.144.03',
      'gpu.computeCapability': '8.9',
      'gpu.ecc': 'disabled',
      'gpu.memory': 22.5,
      'gpu.mig': 'none',
      'gpu.name': 'NVIDIA L4',
      'gpu.per_node': 4,
      'gpu.persistence': 'enabled',
      'gpu.power_limit': [72, 60],
      'gpu.sku': 'NVIDIA L4',
      'host.memory': 503.6,
      'numa.nodes': 2,
      'pcie.generation': 4,
      'pcie.width': 8,
      vendor: 'nvidia',
    });
    expect(Object.keys(facts)).toEqual(Object.keys(facts).sort());
    expect(found.find(({ key }) => key === 'gpu.name')).toEqual({
      key: 'gpu.name',
      value: 'NVIDIA L4',
      tool: 'nvidia-smi --query-gpu',
      line: 15,
    });
    expect(places.map(({ tool }) => tool)).toEqual(['nvcc --version', 'nvidia-smi --query-gpu', 'numactl --hardware']);
    expect([contradictions, problems]).toEqual([[], []]);
    expect(ofText(...texts.toReversed()).facts).toEqual(facts);
  }); // prettier-ignore

  it('reads the list of GPUs within a report of PyTorch once, and one beside it', () => {
    const [report, list] = [output('collect-env/torch-2.8.txt'), output('nvidia-smi-table/list-with-mig.txt')];
    const toolsOf = (text: string) => ofText(text).places.map(({ tool }) => tool);
    expect(toolsOf(report)).not.toContain('nvidia-smi -L');
    expect(toolsOf(`${report}\n${list}`)).toContain('nvidia-smi -L');
  });

  it('takes the GPUs that it counts for those of one node', () => {
    const { facts, found } = ofReader(['a', ['gpu.count', 8], ['gpu.per_node', 8]]);
    expect(facts).toEqual({ 'gpu.per_node': 8 });
    expect(found.map(({ key }) => key)).toEqual(['gpu.per_node']);
  });
});

describe('detect, two places that say something of one fact', () => {
  it.each<[string, Found, Found, Found]>([
    ['driver', '550.144.03', '550.144.03', '550.144.03'],
    ['vendor', 'NVIDIA', 'nvidia ', 'NVIDIA'],
    ['cuda', '12.8', '12.8.1', '12.8.1'],
    ['cuda', '12.8.1', '12.8', '12.8.1'],
    ['torch', '2.11.0', '2.11.0+cu130', '2.11.0+cu130'],
    ['gpu.memory', 79.6, 80, 80],
    ['gpu.memory', 80, 79.6, 80],
    ['host.memory', 1007.6, 1008, 1008],
    ['gpu.power_limit', 690, 700, 700],
    ['gpu.mig', 'enabled', '1g.18gb', '1g.18gb'],
    ['gpu.mig', '1g.18gb', 'enabled', '1g.18gb'],
    ['gpu.power_limit', [72, 60], [72, 60], [72, 60]],
  ])('takes them for one where they mean the same: %s %j and %j', (key, one, other, expected) => {
    const { facts, contradictions } = ofReader(['a', [key, one]], ['b', [key, other]]);
    expect([facts, contradictions]).toEqual([{ [key]: expected }, []]);
  });

  it.each<[string, Found, Found]>([
    ['driver', '550.144.03', '550.54.14'],
    ['cuda', '12.8', '12.80'],
    ['cuda', '12.8', '12.9'],
    ['driver', '550', '550.54.14'],
    ['gpu.per_node', 8, 7],
    ['cpu.cores', 64, 65],
    ['gpu.memory', 79.6, 94],
    ['gpu.mig', 'none', 'enabled'],
    ['gpu.mig', '1g.18gb', '2g.35gb'],
    ['gpu.name', 'NVIDIA H200', ['NVIDIA H200', 'NVIDIA L4']],
  ])('gives no fact where they contradict each other: %s %j and %j', (key, one, other) => {
    const { facts, found, contradictions } = ofReader(['a', [key, one]], ['b', [key, other]]);
    expect([facts, found]).toEqual([{}, []]);
    expect(contradictions).toEqual([
      {
        key,
        values: [
          { value: one, tool: 'a', line: 10 },
          { value: other, tool: 'b', line: 20 },
        ],
      },
    ]);
  });

  it('names the place of the value that it takes', () => {
    expect(ofReader(['a', ['cuda', '12.8']], ['b', ['cuda', '12.8.1']]).found).toEqual([
      { key: 'cuda', value: '12.8.1', tool: 'b', line: 20 },
    ]);
  });

  it('names at most a hundred values, and not in the time that comparing all would take', () => {
    const places = Array.from({ length: 50_000 }, (_, index) => ['a', ['driver', `550.${index}.1`]] as const);
    expect(ends(() => ofReader(...places)).contradictions[0]?.values).toHaveLength(100);
  });
});

describe('detect, the hardware profile', () => {
  const h200 = [
    ['vendor', 'nvidia'],
    ['gpu.name', 'NVIDIA H200'],
    ['gpu.memory', 140.4],
  ] as const;

  it('is found by name, and what it says is not said again', () => {
    const { profile: found, facts } = ofReader(['a', ...h200, ['gpu.power_limit', 700], ['gpu.computeCapability', '9.0']]);
    expect(found?.slug).toBe('h200-sxm');
    expect(facts).toEqual({ 'gpu.name': 'NVIDIA H200' });
  }); // prettier-ignore

  it('leaves facts that differ from it', () => {
    expect(ofReader(['a', ...h200, ['gpu.power_limit', 500], ['gpu.per_node', 8]]).facts).toEqual({
      'gpu.name': 'NVIDIA H200',
      'gpu.per_node': 8,
      'gpu.power_limit': 500,
    });
  });

  it('names others of the same name, the likeliest first', () => {
    const named = [['gpu.name', 'NVIDIA GH200 480GB'], ['gpu.memory', 95.6]] as const; // prettier-ignore
    const slugs = (...places: readonly Place[]) => {
      const { profile: first, alsoPossible } = ofReader(...places);
      return [first, ...alsoPossible].map((each) => each?.slug);
    };
    expect(slugs(['a', ...named])).toEqual(['gh200', 'gh200-nvl2']);
    expect(slugs(['a', ...named, ['gpu.per_node', 2]])).toEqual(['gh200-nvl2', 'gh200']);
  });

  it('is the generic one for an unlisted product, whose name becomes the model', () => {
    const { profile: found, facts } = ofReader(['a', ['gpu.name', 'NVIDIA H20'], ['architecture', 'hopper'], ['gpu.memory', 95.6]]);
    expect(found?.slug).toBe('hopper');
    expect(facts).toEqual({ 'gpu.memory': 95.6, 'gpu.name': 'NVIDIA H20', 'gpu.sku': 'NVIDIA H20' });
  }); // prettier-ignore

  it('is none for hardware that nobody listed, which keeps its facts', () => {
    const { profile: found, alsoPossible, facts } = ofReader(['a', ['gpu.name', 'MTT S4000'], ['gpu.memory', 48]]);
    expect([found, alsoPossible]).toEqual([null, []]);
    expect(facts).toEqual({ 'gpu.memory': 48, 'gpu.name': 'MTT S4000', 'gpu.sku': 'MTT S4000' });
  });

  it('is none where nothing tells of a device', () => {
    expect(ofReader(['a', ['vendor', 'nvidia'], ['driver', '580.65.06']])).toMatchObject({
      profile: null,
      facts: { driver: '580.65.06', vendor: 'nvidia' },
    });
  });

  it('is none for devices of several kinds', () => {
    expect(ofReader(['a', ['gpu.name', ['NVIDIA H200', 'NVIDIA L4']]])).toMatchObject({
      profile: null,
      facts: { 'gpu.name': ['NVIDIA H200', 'NVIDIA L4'] },
    });
    expect(ofReader(['a', ['gpu.name', 'NVIDIA H200']], ['b', ['gpu.name', 'NVIDIA GH200 480GB']])).toMatchObject({
      profile: null,
      facts: {},
    });
  });

  it('is found where two tools write one product differently', () => {
    const { profile: found, facts } = ofReader(['a', ['gpu.name', 'NVIDIA H200']], ['b', ['gpu.name', 'H200']]);
    expect(found?.slug).toBe('h200-sxm');
    expect(facts).toEqual({});
  });

  it('does not look at the memory of a slice', () => {
    const slice = [['gpu.name', 'NVIDIA H200'], ['gpu.mig', '1g.18gb'], ['gpu.memory', 16.4]] as const; // prettier-ignore
    expect(ofReader(['a', ...slice]).profile?.slug).toBe('h200-sxm');
    expect(ofReader(['a', ['gpu.name', 'NVIDIA H200'], ['gpu.memory', 16.4]]).profile).toBeNull();
  });
});

describe('detect, the facts of a run', () => {
  const runFacts = (...facts: readonly (readonly [string, Found])[]) => ofReader(['nvidia-smi -q', ...facts]).runFacts;

  it('are what was found, and what every such product has', () => {
    const found = [['gpu.name', 'NVIDIA H200'], ['gpu.per_node', 8], ['gpu.memory', 140.4], ['driver', '580.1'], ['capability.nvlink', true]] as const;
    expect(runFacts(...found)).toEqual({
      architecture: 'hopper', driver: '580.1', 'gpu.computeCapability': '9.0', 'gpu.memory': 141, 'gpu.name': 'NVIDIA H200',
      'gpu.per_node': 8, 'gpu.sku': 'H200 SXM', vendor: 'nvidia',
    });
  }); // prettier-ignore

  it('have no memory of the whole GPU for a slice, and the limit that was found', () => {
    const facts = runFacts(['gpu.name', 'NVIDIA H200'], ['gpu.mig', '1g.18gb'], ['gpu.power_limit', 700]);
    expect(facts).toMatchObject({ 'gpu.mig': '1g.18gb', 'gpu.power_limit': 700, 'gpu.sku': 'H200 SXM' });
    expect(facts).not.toHaveProperty('gpu.memory');
  });

  it('have the printed name for a model that several products or none of the catalog may be', () => {
    expect(runFacts(['gpu.name', 'NVIDIA GH200 480GB'])).toMatchObject({ 'gpu.sku': 'GH200 480GB', 'gpu.memory': 96 });
    const unlisted = runFacts(['gpu.name', 'NVIDIA H900'], ['vendor', 'nvidia'], ['architecture', 'hopper']);
    expect(unlisted).toMatchObject({ 'gpu.sku': 'H900', 'gpu.computeCapability': '9.0' });
  });
});

describe('detect, problems', () => {
  const tools =
    'nvidia-smi -q, nvidia-smi -q -x, nvidia-smi topo -m, nvidia-smi --query-gpu, nvidia-smi, nvidia-smi -L, ';

  it('says that a text is empty', () => {
    for (const text of ['', ' \n\t\r\n', '\uFEFF']) {
      expect(ofText(text).problems).toEqual([{ line: null, message: { en: 'The text is empty', zh: '文本为空' } }]);
    }
  });

  it('says what it looked for where it finds nothing', () => {
    const [problem, ...others] = ofText('We have eight GPUs.\nThey are fast.').problems;
    expect(others).toEqual([]);
    expect(problem?.line).toBeNull();
    expect(problem?.message.en).toContain(`No fact of a machine was found; looked for the output of ${tools}`);
    expect(problem?.message.en.endsWith('cat /etc/os-release, uname -a')).toBe(true);
    expect(problem?.message.zh.startsWith('没有找到机器信息；可识别的输出有：nvidia-smi -q、nvidia-smi -q -x、')).toBe(
      true,
    );
  });

  it('names the line of a command without output', () => {
    const reader = readerOf(['one tool']);
    expect(detect('# 8 GPUs\n$ nvidia-smi topo -m\n', [reader], profiles).problems).toEqual([
      {
        line: 2,
        message: {
          en: 'No fact of a machine was found; looked for the output of one tool, another tool. Line 2 names nvidia-smi: is its output cut?',
          zh: '没有找到机器信息；可识别的输出有：one tool、another tool。第 2 行提到 nvidia-smi，其输出是否不完整？',
        },
      },
    ]);
  });

  it('gives what readers say, each once', () => {
    const problem: ReadingProblem = { line: 3, message: { en: 'It is cut', zh: '不完整' } };
    const place = { tool: 'a', firstLine: 3, lastLine: 3, findings: [{ key: 'driver', value: '1', line: 3 }] };
    const reader: FactReader = { tools: ['a'], read: () => [{ ...place, problems: [problem, problem] }] };
    expect(detect('text', [reader, reader], []).problems).toEqual([problem]);
  });

  it('counts what it leaves behind', () => {
    const text = `${output('nvidia-smi-table/list-with-mig.txt')}\nlihua@gpu-node-07:~$ exit\n`;
    expect(ofText(text).removed).toEqual([
      { kind: 'UUID', count: 5 },
      { kind: 'HOST_NAME', count: 1 },
      { kind: 'USER_NAME', count: 1 },
    ]);
  });
});

describe('detect, a value at the very end', () => {
  const release = 'Cuda compilation tools, release 13.0';
  const facts = (text: string) => {
    const { found, problems } = detect(text, factReaders, profiles);
    return [found.map(({ key, value }) => [key, value]), problems.map(({ line, message }) => [line, message.en])];
  };

  it('is left out where it may be cut, and told', () => {
    const problem = 'Line 1 is the last one and does not end: what stands at its end, "13.0", may be cut and was left out. Send all of it, or end the line where it is whole';
    expect(facts(release)[1]).toContainEqual([1, problem]);
    expect(facts(release)[0]).toEqual([]);
    expect(facts(`${release}\n`)).toEqual([[['cuda.toolkit', '13.0']], []]);
  }); // prettier-ignore
});

describe('detect, a line at the very end', () => {
  it.each([
    ['collect-env/torch-2.8.txt', 'GPU 0: NVID'],
    ['rocm-smi/concise-and-topology.txt', '0x74a1,  110'],
  ])('that is cut says nothing of the machine: %s', (name, end) => {
    const text = output(name);
    const at = text.indexOf(end);
    expect(at).toBeGreaterThan(0);
    const whole = new Map(detect(text, factReaders, profiles).found.map(({ key, value }) => [key, value]));
    const cut = detect(text.slice(0, at + end.length), factReaders, profiles);
    expect(cut.found.filter(({ key, value }) => JSON.stringify(whole.get(key)) !== JSON.stringify(value))).toEqual([]);
    expect(cut.problems.at(-1)?.message.en ?? '').toMatch(/may be cut and was left out|No fact of a machine/);
  }); // prettier-ignore
});

describe('detect, damaged text', () => {
  const names = ['amd-smi/version-static-topology.json.txt', 'amd-smi/default.json', 'collect-env/vllm.txt', 'lscpu/sections.json', 'npu-smi/910c-two-chips.txt', 'nvidia-smi-q/two-superchips.txt', 'nvidia-smi-topo/four-gpus-with-switches.txt', 'nvidia-smi-xml/two-gpus-one-in-mig.xml', 'rocm-smi/concise-and-topology.txt']; // prettier-ignore
  const whole = names.map(output).join('\n');

  it('is read without an error, and every place lies within it', () => {
    const random = seeded(3);
    const texts = Array.from({ length: 40 }, () => {
      const start = Math.floor(random() * whole.length * 0.5);
      return mutated(whole, random).slice(start, start + 20_000);
    });
    const outside = texts.flatMap((text) => {
      const { found, places, problems } = ofText(text);
      const lines = text.split(/\r\n|\n/).length;
      const all = [
        ...found.map(({ line }) => line),
        ...problems.map(({ line }) => line ?? 1),
        ...places.flatMap(({ firstLine, lastLine }) => [firstLine, lastLine]),
      ];
      return all.filter((line) => line < 1 || line > lines);
    });
    expect(outside).toEqual([]);
  });

  it.each<[string, (length: number) => string]>([
    ['the same outputs over and over', (length) => whole.repeat(length / whole.length + 1)],
    ['the same without ends of lines', (length) => whole.replaceAll('\n', ' ').repeat(length / whole.length + 1)],
    ['blank lines', (length) => '\n'.repeat(length / 4)],
    ['objects that never close', (length) => '{"gpu_data": [\n'.repeat(length / 15)],
    ['quotes behind JSON', (length) => `{"gpu_data": [{"gpu": 0}]} ${'\\"'.repeat(length / 2)}`],
    ['tags that never close', (length) => `<nvidia_smi_log>\n<gpu>\n${'<a>1</b>\n<b>\n'.repeat(length / 13)}`],
    ['one field', (length) => 'CPU(s): 8\n'.repeat(length / 10)],
    ['one heading', (length) => 'GPU: 0\n    BDF: 0000:22:00.0\n'.repeat(length / 29)],
  ])('takes time in proportion to the text: %s', (_, make) => {
    ends(() => ofText(make(200_000)));
  });

  it('takes no link from a product because none is active', () => {
    const [first] = profiles;
    if (!first) throw new Error('No profile');
    const linked = { ...first, capabilities: ['nvlink'] };
    const places: Place[] = [['topo', ['gpu.name', 'NVIDIA H200'], ['capability.nvlink', false], ['gpu.link', 'pcie']]];
    const { facts, problems } = detect('text', [readerOf(...places)], [linked]);
    expect(facts).toEqual({ 'gpu.link': 'pcie', 'gpu.name': 'NVIDIA H200' });
    expect(problems).toEqual([
      {
        line: 11,
        message: {
          en: 'This product has nvlink, and no link of it is active here',
          zh: '该产品具备 nvlink，但此处没有任何活动链路',
        },
      },
    ]);
  });

  it('takes close sizes for one, and counts and early versions for what they are', () => {
    const { facts, contradictions } = ofReader(
      ['a', ['gpu.memory', 7.9], ['cpu.cores', 128], ['torch', '2.9.0']],
      ['b', ['gpu.memory', 8], ['cpu.cores', 126], ['torch', '2.9.0.dev20250801+cu128']],
    );
    expect(facts).toEqual({ 'gpu.memory': 8 });
    expect(contradictions.map(({ key }) => key)).toEqual(['cpu.cores', 'torch']);
  });
});

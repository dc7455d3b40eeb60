import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { facts, factsIn, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { pathTo, textAt } from '../../../../test/support/tool-output.js';
import { collectEnv } from './collect-env.js';

const evidence = '../../shared/evidence/h200/machine/torch_collect_env.txt';
const hasShared = existsSync(pathTo(evidence));
const describeShared = hasShared ? describe : describe.skip;

describe('collect_env of PyTorch', () => {
  it('reads the header before the packages, and pip before conda', () => {
    expect(facts(collectEnv, output('collect-env/torch-2.8.txt'))).toEqual({
      torch: '2.8.0+cu128',
      cuda: '12.8',
      os: 'Ubuntu 22.04.5 LTS',
      python: '3.11.9',
      kernel: '5.14.0-427.el9.x86_64',
      'cuda.toolkit': '12.8.93',
      driver: '570.124.06',
      'gpu.name': 'NVIDIA H100 80GB HBM3',
      'gpu.per_node': 4,
      'gpu.count': 4,
      cudnn: '9.8.0',
      flashAttention: '2.8.1',
      nccl: '2.27.3',
      triton: '3.4.0',
    });
  });

  it('gives the lines where things are printed, without those of lscpu within', () => {
    const [reading] = read(collectEnv, `$ python -m torch.utils.collect_env\n${output('collect-env/torch-2.8.txt')}`);
    expect(reading).toMatchObject({ tool: 'python -m torch.utils.collect_env', firstLine: 2, lastLine: 51 });
    const lineOf = (key: string) => reading?.findings.find((finding) => finding.key === key)?.line;
    expect(['torch', 'gpu.count', 'driver', 'nccl'].map(lineOf)).toEqual([3, 20, 25, 45]);
    expect(reading?.findings.filter(({ key }) => key.startsWith('cpu.'))).toEqual([]);
  });

  it('reads PyTorch 1.7, where one GPU stands in the line of its field', () => {
    expect(facts(collectEnv, output('collect-env/torch-1.7.txt'))).toEqual({
      torch: '1.7.1',
      cuda: '11.0',
      os: 'Debian GNU/Linux 10 (buster)',
      python: '3.8',
      driver: '450.80.02',
      'gpu.name': 'Tesla V100-SXM2-16GB',
      'gpu.per_node': 1,
      'gpu.count': 1,
      cudnn: '8.0.5',
    });
  });

  it('does not count the GPUs of a ROCm build, which names the first one only', () => {
    expect(facts(collectEnv, output('collect-env/rocm.txt'))).toEqual({
      torch: '2.6.0+rocm6.2.4',
      rocm: '6.2.41134-65d174c3e',
      os: 'Ubuntu 22.04.4 LTS',
      python: '3.10.12',
      kernel: '5.15.0-116-generic',
      'gpu.name': 'AMD Instinct MI300X',
      triton: '3.2.0',
    });
  });

  it('finds no CUDA, GPU, driver and kernel of Linux where there are none', () => {
    expect(facts(collectEnv, output('collect-env/cpu-only.txt'))).toEqual({
      torch: '2.6.0+cpu',
      os: 'macOS 14.5',
      python: '3.12.9',
    });
  });

  it('does not guess the version of cuDNN where the files disagree, and takes that of the wheel', () => {
    const text = output('collect-env/torch-2.8.txt');
    const disagreeing = text.replace('libcudnn_adv.so.9.8.0', 'libcudnn.so.8.9.7');
    expect(facts(collectEnv, disagreeing)).not.toHaveProperty('cudnn');
    const wheel = text.replace('[pip3] numpy', '[pip3] nvidia-cudnn-cu12==9.10.2.21\n[pip3] numpy');
    expect(facts(collectEnv, wheel).cudnn).toBe('9.10.2.21');
  });

  it('says that GPUs are missing in the list', () => {
    const text = output('collect-env/torch-2.8.txt').replace('GPU 1: NVIDIA H100 80GB HBM3\n', '');
    const [reading] = read(collectEnv, text);
    expect(factsIn(reading)['gpu.count']).toBe(3);
    expect(reading?.problems.map(({ message }) => message.en)).toEqual([
      'The list of GPUs is not complete: GPU 1 is missing',
    ]);
  });

  it('reads two outputs apart', () => {
    const text = output('collect-env/torch-2.8.txt') + output('collect-env/torch-1.7.txt') + output('collect-env/vllm.txt'); // prettier-ignore
    expect(read(collectEnv, text).map((reading) => factsIn(reading).torch)).toEqual(['2.8.0+cu128', '1.7.1', '2.9.0+cu129']); // prettier-ignore
  });

  it('leaves alone texts that only name versions', () => {
    expect(read(collectEnv, '- PyTorch version: 2.8.0\n- Python version: 3.12\nPyTorch version: 2.8.0\n')).toEqual([]);
  });
});

describe('collect_env of vLLM', () => {
  it('reads MIG devices, GPUs that differ, and variables that name nobody', () => {
    const [reading] = read(collectEnv, output('collect-env/vllm.txt'));
    expect(reading?.tool).toBe('vllm collect-env');
    expect(factsIn(reading)).toEqual({
      torch: '2.9.0+cu129',
      cuda: '12.9',
      os: 'Ubuntu 24.04.2 LTS',
      python: '3.12.11',
      kernel: '6.11.0-1011-nvidia-64k',
      'cuda.toolkit': '12.9.86',
      driver: '575.57.08',
      vllm: '0.11.1rc2.dev10+gabc1234',
      'gpu.name': ['NVIDIA A100-SXM4-80GB', 'NVIDIA A100 80GB PCIe'],
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.mig': ['3g.40gb', '1g.10gb'],
      'env.CUDA_VERSION': '12.9.1',
      'env.NCCL_DEBUG': 'WARN',
      'env.NCCL_IB_HCA': 'mlx5_0,mlx5_1',
      'env.VLLM_WORKER_MULTIPROC_METHOD': 'spawn',
      'env.PYTORCH_CUDA_ALLOC_CONF': 'expandable_segments:True',
      cudnn: '9.10.2.21',
      nccl: '2.27.5',
      triton: '3.5.0',
    });
    expect(reading?.problems.map(({ message }) => message)).toEqual([
      {
        en: '2 kinds of GPU here: NVIDIA A100-SXM4-80GB, NVIDIA A100 80GB PCIe',
        zh: '这里有 2 种 GPU：NVIDIA A100-SXM4-80GB、NVIDIA A100 80GB PCIe',
      },
    ]);
  });

  it('reads torch_npu and the version of CANN that vLLM Ascend prints last', () => {
    expect(facts(collectEnv, output('collect-env/vllm-ascend.txt'))).toEqual({
      torch: '2.7.1+cpu',
      os: 'openEuler 22.03 (LTS-SP4)',
      python: '3.11.13',
      kernel: '5.10.0-216.0.0.115.oe2203sp4.aarch64',
      vllm: '0.11.0',
      'env.TORCH_DEVICE_BACKEND_AUTOLOAD': '1',
      'env.VLLM_USE_V1': '1',
      cann: '8.2.RC1',
      torchNpu: '2.7.1',
    });
  });

  it('reads the version of CANN where no variables are printed', () => {
    const text = output('collect-env/vllm-ascend.txt').replace(/^(?:ATB|TORCH|VLLM)_.*\n/gm, '');
    expect(facts(collectEnv, text)).toMatchObject({ vllm: '0.11.0', cann: '8.2.RC1' });
  });

  it('reads broken copies without a fault', () => {
    const names = ['torch-2.8', 'torch-1.7', 'rocm', 'cpu-only', 'vllm', 'vllm-ascend'];
    expect(faultsWhenBroken(collectEnv, names.map((name) => output(`collect-env/${name}.txt`)))).toEqual([]); // prettier-ignore
  });

  it('never takes a secret, an address, a path or a UUID, however the text is broken', () => {
    const text = output('collect-env/vllm.txt');
    for (let cut = 0; cut < text.length; cut += 37) {
      const taken = JSON.stringify(read(collectEnv, text.slice(cut)).map(({ findings }) => findings));
      expect(taken).not.toMatch(/do-not-take|192\.0\.2|00000000-aaaa|somebody|\/opt|\/usr/);
    }
  });
});

describeShared(`collect_env of our machine${hasShared ? '' : ' (skipped: ../shared is not there)'}`, () => {
  it('has one H200 and PyTorch 2.11, and a kernel that was taken out', () => {
    expect(facts(collectEnv, textAt(evidence))).toEqual({
      torch: '2.11.0+cu130',
      cuda: '13.0',
      os: 'Ubuntu 24.04.3 LTS',
      python: '3.12.3',
      'cuda.toolkit': '13.0.88',
      driver: '580.159.04',
      'gpu.name': 'NVIDIA H200',
      'gpu.per_node': 1,
      'gpu.count': 1,
      cudnn: '9.19.0.56',
      nccl: '2.28.9',
      triton: '3.6.0',
    });
  });
});

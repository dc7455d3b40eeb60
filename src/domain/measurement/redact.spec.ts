import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../test/support/ends.js';
import { DomainError } from '../errors.js';
import { normalizeFacts, redactCommand, redactFacts, redactText } from './redact.js';

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('redactText', () => {
  it.each([
    ['listening on 192.168.7.21:8000', 'listening on [redacted]:8000'],
    ['node at 10.0.0.5, next 10.0.0.6', 'node at [redacted], next [redacted]'],
    ['route 172.16.0.0/12', 'route [redacted]/12'],
    ['from 2001:db8::ff00:42:8329 on', 'from [redacted] on'],
    ['fe80:0:0:0:204:61ff:fe9d:f156', '[redacted]'],
    ['ether 3c:ec:ef:12:34:56', 'ether [redacted]'],
    ['guid 506b:4b03:00f3:a1b2', 'guid [redacted]'],
    ['mail alice.w@example.com now', 'mail [redacted] now'],
    ['alice@node7:~$', '[redacted]:~$'],
    ['/home/alice/run.py', '~/run.py'],
    ['/Users/alice/run.py', '~/run.py'],
    ['C:\\Users\\alice\\run.py', '~\\run.py'],
    ['/root/.cache/x', '~/.cache/x'],
    [`GPU-${uuid}`, 'GPU-[redacted]'],
    ['Serial Number : 1652922012345', 'Serial Number : [redacted]'],
    ['hf_abcdefghijklmnopqrstuvwx', '[redacted]'],
    ['AKIAABCDEFGHIJKLMNOP', '[redacted]'],
    ['job with tb_51e88968cd_khUY7UIzlsHSB5R2RngekhUY7UIzlsHSB5R2Rnge123 ended', 'job with [redacted] ended'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
    ['key-eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abcdefgh', 'key-[redacted]'],
    ['password = hunter2', 'password = [redacted]'],
    ['BM_Load HF_TOKEN=abc123 fast', 'BM_Load HF_TOKEN=[redacted] fast'],
    ['BM_Load/USER=alice/threads:8', 'BM_Load/USER=[redacted]/threads:8'],
    ['SLURM_JOB_USER=alice, SLURM_NNODES=2', 'SLURM_JOB_USER=[redacted], SLURM_NNODES=2'],
    ['serve --hf-token abcdefgh1 -n 3', 'serve --hf-token [redacted] -n 3'],
    ['npm_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
    ['https://alice:hunter2@example.com/x', 'https://[redacted]@example.com/x'],
    ['http://node17:8000/v1', 'http://[redacted]:8000/v1'],
    ['ip-10-0-12-7.ec2.internal is up', '[redacted] is up'],
    ['node7.cluster.local', '[redacted]'],
    ['ssh alice@node7 nvidia-smi', 'ssh [redacted] nvidia-smi'],
    ['s3://key:secret@bucket/x', 's3://[redacted]@bucket/x'],
    ['postgresql+psycopg://db7/runs', 'postgresql+psycopg://[redacted]/runs'],
  ])('makes of %s %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    'llama-7b@main',
    's3://bucket-a/x',
    'hf://owner/squad',
    'cuDNN version 8.9.2.26',
    'NCCL 2.18.3.1',
    'tensorrt==10.0.1.6',
    'libcudnn-9.1.0.70',
    'v12.8.1.1',
    'http://localhost:8000/v1',
    'http://127.0.0.1:8000/v1',
    '127.0.0.1',
    '0.0.0.0',
    'https://huggingface.co/example',
    'nvcr.io/nvidia/pytorch@sha256:0011223344556677',
    'mlx5_0:1,mlx5_1:1',
    '0000:17:00.0',
    '12:30:45',
    'std::vector<int>',
    'time_per_token',
    '999.999.999.999',
    'BM_Copy/NCCL_ALGO=Ring/BATCH=8/max_tokens=128',
    'serve --eos-token 2 --max-new-token 12345678 --sort-key latency_ms',
    'REQUESTS_PER_USER=16',
  ])('keeps %s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('the time of redactText', () => {
  it.each(['a.', 'eyJ-', 'a-', 'a@a.', 'ip-', '/a', 'a:'])('stays short for many times "%s"', (part) => {
    ends(() => {
      for (let round = 0; round < 20; round += 1) redactText(part.repeat(2_000));
    });
  });
});

describe('redactCommand', () => {
  it.each([
    ['sshpass -p hunter2 ssh -p 22 gpu17 nvidia-smi', 'sshpass -p [redacted] ssh -p 22 [redacted] nvidia-smi'],
    ['HF_TOKEN=abc python3 train.py --batch 8', 'HF_TOKEN=[redacted] python3 train.py --batch 8'],
    ['run --api-key abc --seed 7', 'run --api-key [redacted] --seed 7'],
    ['run --password=hunter2', 'run --password=[redacted]'],
    ['mpirun -H node1:8,node2:8 -np 16 all_reduce_perf', 'mpirun -H [redacted] -np 16 all_reduce_perf'],
    ['vllm bench serve --host 10.1.2.3 --port 8000', 'vllm bench serve --host [redacted] --port 8000'],
    ['python3 /scratch/alice/lab/run.py', 'python3 [path]/run.py'],
    ['bench --url gpu17:8000/v1', 'bench --url [redacted]:8000/v1'],
    ['bench --base-url http://gpu17:8000/v1', 'bench --base-url http://[redacted]:8000/v1'],
    ['bench --base-url http://gpu17.hpc.acme.com:8000', 'bench --base-url http://[redacted]:8000'],
    ['perf_analyzer -m m -u gpu17:8001 -i grpc', 'perf_analyzer -m m -u [redacted]:8001 -i grpc'],
    ['perf_analyzer -m m -u localhost:8001', 'perf_analyzer -m m -u localhost:8001'],
    ['curl -u alice:hunter2 http://127.0.0.1:9090/x', 'curl -u [redacted] http://127.0.0.1:9090/x'],
    ['python3 -u train.py', 'python3 -u train.py'],
    [
      'bench --endpoint /v1/completions --server gpu17:80',
      'bench --endpoint [path]/completions --server [redacted]:80',
    ],
    ['bench --host gpu17 --port 80', 'bench --host [redacted] --port 80'],
    ['bench --host 127.0.0.1 --port 80', 'bench --host 127.0.0.1 --port 80'],
    ['bench --host=0.0.0.0', 'bench --host=0.0.0.0'],
    ['iperf3 -c gpu17 -P 8', 'iperf3 -c [redacted] -P 8'],
    ['hey -c 32 -n 100', 'hey -c 32 -n 100'],
    ['ssh gpu17 nvidia-smi', 'ssh [redacted] nvidia-smi'],
    ['ssh -p 2222 -i key gpu17.lab nvidia-smi', 'ssh -p 2222 -i key [redacted] nvidia-smi'],
    ['scp gpu17:/data/x.json .', 'scp [redacted]:/data/x.json .'],
    ['ib_write_bw -d mlx5_0 --report_gbits gpu17', 'ib_write_bw -d mlx5_0 --report_gbits [redacted]'],
    ['ib_write_bw -d mlx5_0', 'ib_write_bw -d mlx5_0'],
    ['mysql -phunter2 -e q', 'mysql -p[redacted] -e q'],
    ['run -precision fp16 -p8000 -pp4', 'run -precision fp16 -p8000 -pp4'],
    ['torchrun --rdzv_endpoint gpu17:29500 x', 'torchrun --rdzv_endpoint [redacted]:29500 x'],
    ['/usr/bin/time /opt/app/bin/x > /dev/null', '/usr/bin/time /opt/app/bin/x > /dev/null'],
    ['NCCL_ALGO=Ring NCCL_IB_HCA=mlx5_0 ./x --max-tokens 8', 'NCCL_ALGO=Ring NCCL_IB_HCA=mlx5_0 ./x --max-tokens 8'],
  ])('makes of %s %s', (command, expected) => {
    expect(redactCommand(command)).toBe(expected);
  });
});

describe('redactFacts', () => {
  it('removes a credential from a version, and the user of a job', () => {
    const { facts, removed } = redactFacts({
      os: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      'env.SLURM_JOB_USER': 'alice',
    });
    expect(removed).toEqual(['os', 'env.SLURM_JOB_USER']);
    expect(JSON.stringify(facts)).not.toMatch(/ghp_|alice/);
  });

  it('removes what names a person or a machine, and credentials', () => {
    const { facts, removed } = redactFacts({
      'env.HF_TOKEN': 'x',
      'env.AWS_REGION': 'x',
      'env.MY_SECRET': 'x',
      'env.DB_PASSWORD': 'x',
      'env.SIGNING_KEY': 'x',
      'env.HOSTNAME': 'x',
      'env.USER': 'x',
      'env.SSH_CLIENT': 'x',
      'env.SLURM_JOB_NODELIST': 'x',
      'host.name': 'x',
      hostname: 'x',
      user: 'x',
      'gpu.uuid': 'x',
      'gpu.serial': 'x',
      'nic.mac': 'x',
    });
    expect(facts).toEqual({});
    expect(removed).toHaveLength(15);
  });

  it('keeps settings that matter for performance', () => {
    const facts = {
      'env.NCCL_IB_HCA': 'mlx5_0,mlx5_1',
      'env.CUDA_VISIBLE_DEVICES': '0,1,2,3',
      'env.NCCL_SOCKET_IFNAME': 'eth0',
      'env.TOKENIZERS_PARALLELISM': 'false',
      'workload.input_tokens': 512,
      'workload.settings.max_tokens': '256',
      'host.memory': 512,
      cudnn: '12.8.1.1',
      driver: '575.57.08',
      torch: '2.8.0+cu129',
      fabric: ['infiniband', 'nvlink'],
      'gpu.mig': null,
    };
    expect(redactFacts(facts)).toEqual({ facts, removed: [] });
  });

  it('cuts the private part out of a value and names the key', () => {
    expect(
      redactFacts({
        'env.CUDA_VISIBLE_DEVICES': `GPU-${uuid}`,
        'workload.dataset': '/home/alice/data',
        'env.MASTER': 'tcp://10.0.0.5:29500',
        peers: ['10.0.0.5', 'none'],
      }),
    ).toEqual({
      facts: {
        'env.CUDA_VISIBLE_DEVICES': 'GPU-[redacted:c812e1ed]',
        'workload.dataset': '~[redacted:612b6fc4]/data',
        'env.MASTER': 'tcp://[redacted:0546412d]:29500',
        peers: ['[redacted:0546412d]', 'none'],
      },
      removed: ['env.CUDA_VISIBLE_DEVICES', 'workload.dataset', 'env.MASTER', 'peers'],
    });
  });
});

describe('redactFacts of two values', () => {
  it.each([
    ['llama-7b@main', 'llama-7b@int4'],
    ['s3://bucket-a/x', 's3://bucket-b/x'],
    ['hf://a/squad', 'hf://b/squad'],
    ['http://node1/x', 'http://node2/x'],
    [uuid, uuid.replace('0', '1')],
    ['1.2.3.4', '1.2.3.5'],
    ['fe80::1:2', 'fe80::1:3'],
    ['/home/a/m', '/home/b/m'],
    ['/root/m', '~/m'],
    ['a@example.com', 'b@example.com'],
    ['x'.repeat(9_000), 'x'.repeat(9_001)],
  ])('keeps %s and %s different, and equal ones equal', (one, other) => {
    const of = (value: string) => redactFacts({ x: value }).facts;
    expect(of(one)).not.toEqual(of(other));
    expect(of(one)).toEqual(of(one));
  });

  it('leaves no fingerprint of a secret, which could be guessed from it', () => {
    expect(
      redactFacts({ 'workload.command': 'TOKEN=a run --api-key b', url: 'https://a:b@example.com' }).facts,
    ).toEqual({
      'workload.command': 'TOKEN=[redacted] run --api-key [redacted]',
      url: 'https://[redacted]@example.com',
    });
  });

  it('keeps commands different in their hosts and folders', () => {
    const of = (value: string) => redactFacts({ 'workload.command': value }).facts['workload.command'];
    for (const [one, other] of [['run --host a', 'run --host b'], ['run /x/a/m', 'run /x/b/m']] as const) {
      expect(of(one)).not.toBe(of(other));
    } // prettier-ignore
  });

  it('changes nothing more the second time', () => {
    const { facts } = redactFacts({
      x: `password=p http://u:p@node7:80/ 1.2.3.4 /home/a/m ${uuid}`,
      command: 'a --host b',
    });
    expect(redactFacts(facts)).toEqual({ facts, removed: [] });
  });
});

describe('normalizeFacts', () => {
  it('flattens nested objects and dotted keys', () => {
    expect(
      normalizeFacts({ gpu: { sku: 'H200', count: 8 }, 'env.NCCL_ALGO': 'Ring', ecc: true }, 'environment'),
    ).toEqual({
      'gpu.sku': 'H200',
      'gpu.count': 8,
      'env.NCCL_ALGO': 'Ring',
      ecc: true,
    });
  });

  it('takes keys with underscores at every depth', () => {
    const facts = { batch_size: 8, gpu_settings: { clock_mhz: 1_980 } };
    expect(normalizeFacts(facts, 'workload')).toEqual({ batch_size: 8, 'gpu_settings.clock_mhz': 1_980 });
  });

  it('keeps arrays of single values, and null as not known', () => {
    expect(normalizeFacts({ nics: ['a', 'b'], driver: null }, 'environment')).toEqual({
      nics: ['a', 'b'],
      driver: null,
    });
    expect(normalizeFacts(null, 'environment')).toEqual({});
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  it.each([
    ['an array', [1], 'environment must be an object'],
    ['a text', 'H200', 'environment must be an object'],
    ['nine levels', deep(9), 'environment.a.a.a.a.a.a.a.a.a is nested more than 8 deep'],
    ['an array of objects', { gpus: [{ sku: 'H200' }] }, 'environment.gpus must be a text'],
    ['a number without end', { x: Infinity }, 'environment.x must be a text'],
    ['a key that is no path', { 'GPU name': 'H200' }, 'environment.GPU name is not a path'],
    ['a long text', { x: 'a'.repeat(4_001) }, 'environment.x is longer than 4000 characters'],
    ['two values of one key', { gpu: { sku: 'A' }, 'gpu.sku': 'B' }, 'environment.gpu.sku is given twice'],
    [
      '501 keys',
      Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, i])),
      'is one of more than 500 keys',
    ],
  ])('refuses %s and says where', (_, input, message) => {
    expect(() => normalizeFacts(input, 'environment')).toThrow(message);
    expect(() => normalizeFacts(input, 'environment')).toThrow(DomainError);
  });
});

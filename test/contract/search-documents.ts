import type { LocalizedText } from '../../src/domain/locale.js';
import type { SearchDocument } from '../../src/domain/search/document.js';
import type { GlossaryEntry } from '../../src/domain/search/glossary-index.js';

/** A few terms of the field, enough to cross between the languages. */
export const glossaryEntries: readonly GlossaryEntry[] = [
  { en: 'device memory', zh: '显存', synonymsEn: ['GPU memory', 'VRAM'], synonymsZh: ['设备内存'] },
  { en: 'host memory', zh: '主机内存', synonymsEn: ['RAM'], synonymsZh: ['内存'] },
  { en: 'pinned memory', zh: '锁页内存', synonymsEn: ['page-locked memory'], synonymsZh: ['固定内存'] },
  { en: 'shared memory', zh: '共享内存', synonymsEn: ['SMEM'] },
  { en: 'cold start', zh: '冷启动' },
  { en: 'graph break', zh: '图中断', synonymsZh: ['计算图断裂', '断图'] },
  { en: 'warp', zh: '线程束' },
  { en: 'kernel (GPU)', zh: '核函数', synonymsEn: ['CUDA kernel'] },
  { en: 'kernel (OS)', zh: '操作系统内核', synonymsEn: ['Linux kernel'] },
  { en: 'kernel launch', zh: '核函数启动', synonymsEn: ['launch'] },
  { en: 'Tensor Core', zh: '张量核心', synonymsEn: ['TC'] },
  { en: 'quantization', zh: '量化' },
  { en: 'dequantization', zh: '反量化' },
  { en: 'KV cache quantization', zh: 'KV 缓存量化' },
  { en: 'weight-only quantization', zh: '仅权重量化' },
  { en: 'checkpoint', zh: '检查点' },
  { en: 'activation checkpointing', zh: '激活检查点' },
  { en: 'all-reduce', zh: '全归约', synonymsEn: ['AllReduce'] },
];

const written = (en: string | null, zh: string | null): LocalizedText => ({ en, zh });

/** A public note, but for what is given. */
export function searchDocument(subjectId: string, given: Partial<SearchDocument>): SearchDocument {
  const title = given.title ?? written(subjectId, null);
  return {
    kind: 'NOTE',
    subjectId,
    projectId: null,
    teamId: null,
    key: null,
    checklist: null,
    section: null,
    body: written(null, null),
    identifiers: [],
    tags: [],
    hardware: [],
    frameworks: [],
    languages: [...(title.en === null ? [] : ['EN' as const]), ...(title.zh === null ? [] : ['ZH' as const])],
    outcome: null,
    verdict: null,
    gain: null,
    ...given,
    title,
  };
}

/** Everybody may see these. */
export const publicDocuments: readonly SearchDocument[] = [
  searchDocument('pinned-buffers', {
    kind: 'ITEM',
    key: 'io/pinned-buffers',
    checklist: 'ai-systems-performance',
    section: 'io',
    title: written('Copy from pinned memory', '从锁页内存拷贝'),
    body: written(
      '**Why**: a copy from pageable memory waits in a staging buffer. Set `pin_memory=True` in the loader.',
      '**为什么**：可分页的缓冲区要先经过中转缓冲区。在加载器里设置 `pin_memory=True`。',
    ),
    identifiers: ['pin_memory'],
    tags: ['overlap', 'dataloader'],
    frameworks: ['pytorch'],
  }),
  searchDocument('network-card', {
    kind: 'ITEM',
    key: 'network/host-adapters',
    checklist: 'ai-systems-performance',
    section: 'network',
    title: written('Choose the host adapters', '选择主机适配器'),
    body: written('Name the ports with `NCCL_IB_HCA`, one a GPU.', '用 `NCCL_IB_HCA` 指定端口，每张 GPU 一个。'),
    identifiers: ['NCCL_IB_HCA'],
    tags: ['nccl', 'rdma'],
  }),
  searchDocument('network-lists', {
    kind: 'ITEM',
    key: 'network/address-index',
    checklist: 'ai-systems-performance',
    section: 'network',
    title: written('Set the address index', '设置地址索引'),
    body: written('NCCL_IB_GID_INDEX=3, and see NCCL_IB_HCA_LIST, NCCL_IB_HCA_ORDER, NCCL_IB_HCA_MASK.', '设置索引。'),
    identifiers: ['NCCL_IB_GID_INDEX'],
    tags: ['nccl'],
  }),
  searchDocument('memory-utilization', {
    title: written(null, '推理服务提高显存利用率'),
    body: written(null, '把并发调到 64 以后，显存占用从 61% 升到 92%；冷启动的时间没有变化。'),
    tags: ['inference'],
    hardware: ['nvidia/h200'],
    frameworks: ['vllm'],
    outcome: 'HELPED',
    verdict: 'IMPROVED',
    gain: 0.18,
  }),
  searchDocument('fragmented-pool', {
    title: written('GPU memory is fragmented after warm-up', null),
    body: written('Expandable segments gave back 3 GiB. `PYTORCH_CUDA_ALLOC_CONF` was the only change.', null),
    tags: ['inference'],
    hardware: ['nvidia/h100-sxm'],
    frameworks: ['pytorch'],
    outcome: 'HELPED',
    verdict: 'IMPROVED',
    gain: 0.04,
  }),
  searchDocument('async-allocator', {
    title: written('Stream-ordered allocation', null),
    body: written('The backend cudaMallocAsync frees without a synchronization; it was no faster here.', null),
    outcome: 'NEUTRAL',
    verdict: 'NO_MEANINGFUL_CHANGE',
    gain: 0,
    hardware: ['nvidia/h100-sxm'],
  }),
  searchDocument('compiled-model', {
    title: written('Compiling the decoder', null),
    body: written('torch.compile with dynamic shapes: eleven recompilations in the first epoch.', null),
    identifiers: ['torch.compile'],
    outcome: 'HURT',
    verdict: 'REGRESSED',
    gain: -0.07,
    frameworks: ['pytorch'],
  }),
  searchDocument('broken-graphs', {
    title: written(null, '计算图断裂的排查'),
    body: written(null, '打开日志后看到三处图断裂，都来自打印语句。'),
    frameworks: ['pytorch'],
  }),
  searchDocument('both-halves', {
    title: written(null, 'torch.compile 的图断裂'),
    body: written(null, '先用 fullgraph=True 找出图断裂的位置。'),
    frameworks: ['pytorch'],
  }),
  searchDocument('prefill-chunks', {
    title: written('Long prompts hold up decoding', null),
    body: written('Start the server with `--enable-chunked-prefill` and watch the gap between tokens.', null),
    frameworks: ['vllm'],
  }),
  searchDocument('divergent-threads', {
    title: written(null, '减少线程束分化'),
    body: written(null, '条件写成查表以后，核函数快了 12%。'),
  }),
  searchDocument('bank-conflicts', {
    title: written(null, '共享内存的存储体冲突'),
    body: written(null, '加一列填充。'),
  }),
  searchDocument('socket-buffers', {
    title: written('Bigger socket buffers', null),
    body: written('net.core.rmem_max=268435456, and `nvidia-smi -pl 500` for the power.', null),
    identifiers: ['net.core.rmem_max', 'nvidia-smi -pl'],
  }),
  searchDocument('cluster-launch', {
    title: written('The launch of the new cluster', null),
    body: written('Shaping with tc on the border router.', null),
  }),
];

/** What stands in each is a term within a longer term, or another form of one. Members of the project see them. */
export const nestedTermDocuments: readonly SearchDocument[] = [
  ['cache-quantization', null, 'KV 缓存量化后的精度'],
  ['weight-quantization', null, '仅权重量化的吞吐'],
  ['quantized-model', null, '模型的量化'],
  ['inverse', null, '反量化的开销'],
  ['activation-checkpointing', 'Activation checkpointing', null],
  ['checkpoint-stalls', 'Checkpointing stalls', null],
].map(([subjectId, en, zh]) =>
  searchDocument(subjectId ?? '', { projectId: 'project-terms', title: written(en ?? null, zh ?? null) }),
);

/** An item, what two audits say of it (only one of them in words of its own), and what mentions it. */
export const repeatingDocuments: readonly SearchDocument[] = (
  [
    ['a-silent-audit', 'AUDIT_ITEM', 'x'],
    ['b-speaking-audit', 'AUDIT_ITEM', 'The astrolabe switch cost 2 ms.'],
    ['c-item', 'ITEM', `Use the astrolabe. ${'Then look at the other parts of the machine. '.repeat(40)}`],
    ['d-note', 'NOTE', `We turned everything off. ${'It took a while. '.repeat(40)} See astrolabe.`],
  ] as const
).map(([subjectId, kind, body]) =>
  searchDocument(subjectId, {
    kind,
    projectId: 'project-repeats',
    title: kind === 'NOTE' ? written('What we tried', null) : written('Astrolabe', '星盘'),
    body: written(body, kind === 'AUDIT_ITEM' ? body : null),
    key: kind === 'NOTE' ? null : 'precision/astrolabe',
    identifiers: kind === 'NOTE' ? [] : ['precision/astrolabe', 'allow_astrolabe'],
  }),
);

/** The very same text in each kind; the ids are in the wrong order. */
export const equalDocuments: readonly SearchDocument[] = (['COMMENT', 'AUDIT_ITEM', 'NOTE', 'ITEM'] as const).map(
  (kind, place) =>
    searchDocument(`equal-${place}`, {
      kind,
      projectId: 'project-equals',
      title: written(null, null),
      body: written('An orrery.', null),
      languages: ['EN'],
    }),
);

/** Only members of these projects may see these. The word "zeppelin" stands in no other document. */
export const hiddenDocuments: readonly SearchDocument[] = [
  searchDocument('secret-note', {
    projectId: 'project-a',
    teamId: 'team-a',
    title: written('The zeppelin workload', null),
    body: written('Zeppelin runs out of device memory at 8k context.', null),
    tags: ['zeppelin-tag'],
    hardware: ['amd/mi300x'],
    outcome: 'HELPED',
  }),
  searchDocument('secret-comment', {
    kind: 'COMMENT',
    projectId: 'project-b',
    teamId: 'team-b',
    title: written(null, '关于显存的评论'),
    body: written(null, 'zeppelin 的显存不够。'),
  }),
  searchDocument('audit-remark', {
    kind: 'AUDIT_ITEM',
    projectId: 'project-a',
    teamId: 'team-a',
    key: 'io/pinned-buffers',
    checklist: 'ai-systems-performance',
    section: 'io',
    title: written('Copy from pinned memory', '从锁页内存拷贝'),
    body: written('Done on all loaders of the airship.', null),
    languages: ['EN'],
  }),
];

/** Enough alike to fill several pages. */
export const manyDocuments: readonly SearchDocument[] = Array.from({ length: 57 }, (_, number) =>
  searchDocument(`page-${String(number).padStart(2, '0')}`, {
    projectId: 'project-pages',
    title: written(`Observation of gyroscope drift`, null),
    body: written(number % 3 === 0 ? 'Gyroscope gyroscope drift.' : 'Nothing else.', null),
  }),
);

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const BREAKDOWN = 'compute communication input host other isOfStep source note at by { id }';
const SET = `mutation($input: SetTimeBreakdownInput!) { setTimeBreakdown(input: $input) { id version timeBreakdown { ${BREAKDOWN} } } }`;
const IMPORT = `mutation($input: ImportTimeBreakdownInput!) { importTimeBreakdown(input: $input) {
  format isDryRun breakdown { ${BREAKDOWN} } lines { name category seconds share } problems { line message isBlocking }
  audit { id version timeBreakdown { compute } }
} }`;
const READ = `query($id: ID!) { audit(id: $id) { version timeBreakdown { ${BREAKDOWN} } } }`;
const KERNELS = `Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
75.0,750000000,100,7500000.0,7500000.0,1,2,0.0,gemm
25.0,250000000,100,2500000.0,2500000.0,1,2,0.0,ncclDevKernel_AllReduce
`;

let app: TestApp;
let of: given.GivenAudit;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  of = await given.audit(app.db);
});

const set = (input: object, viewer: { id: string } = of.contributor) =>
  app.as(viewer).send(SET, { input: { auditId: of.audit.id, version: 1, ...input } });
const read = async () => (await app.as(of.viewer).send(READ, { id: of.audit.id })).data.audit;
const history = () =>
  app.db.historyEntry.findMany({ where: { auditId: of.audit.id, field: 'timeBreakdown' }, orderBy: { id: 'asc' } });

describe('setTimeBreakdown', () => {
  it('keeps the shares, and takes what is absent for unknown', async () => {
    const { data, errors } = await set({ compute: 0.6, communication: 0.25, input: 0, note: 'nsys, 10 steps' });
    expect(errors).toEqual([]);
    expect(data.setTimeBreakdown).toEqual({
      id: of.audit.id,
      version: 2,
      timeBreakdown: {
        compute: 0.6,
        communication: 0.25,
        input: 0,
        host: null,
        other: 0.15,
        isOfStep: true,
        source: 'TYPED',
        note: 'nsys, 10 steps',
        at: expect.stringMatching(/^20/),
        by: { id: of.contributor.id },
      },
    });
    expect((await read()).timeBreakdown).toEqual(data.setTimeBreakdown.timeBreakdown);
    expect(await history()).toMatchObject([
      {
        subject: 'audit',
        viewerId: of.contributor.id,
        before: null,
        after: { compute: 0.6, host: null, source: 'TYPED' },
      },
    ]);
  });

  it('replaces the whole, and clears it where no share is given', async () => {
    await set({ compute: 0.6, communication: 0.25 });
    expect((await set({ version: 2, host: 0.4 })).data.setTimeBreakdown.timeBreakdown).toMatchObject({
      compute: null,
      communication: null,
      host: 0.4,
      other: 0.6,
    });
    const cleared = await set({ version: 3, compute: null, note: 'It was of another model' });
    expect(cleared.data.setTimeBreakdown).toEqual({ id: of.audit.id, version: 4, timeBreakdown: null });
    expect(await history()).toMatchObject([
      { after: { compute: 0.6 } },
      { before: { compute: 0.6, communication: 0.25 }, after: { compute: null, host: 0.4 } },
      { before: { host: 0.4 }, after: null, reason: 'It was of another model' },
    ]);
  });

  it('writes nothing where nothing changes, and once for a repeated request', async () => {
    expect((await set({})).data.setTimeBreakdown).toMatchObject({ version: 1, timeBreakdown: null });
    await set({ compute: 0.6, clientMutationId: 'once' });
    expect((await set({ compute: 0.6, clientMutationId: 'once' })).data.setTimeBreakdown.version).toBe(2);
    expect((await set({ version: 2, compute: 0.6 })).data.setTimeBreakdown.version).toBe(2);
    expect(await history()).toHaveLength(1);
  });

  it.each([
    ['a share above 1', { compute: 62 }, 'INVALID_INPUT', 'compute must be a share from 0 to 1, and is 62; 62 % is 0.62'],
    ['a share below 0', { host: -0.5 }, 'INVALID_INPUT', 'host must be a share from 0 to 1, and is -0.5'],
    ['shares above 1 together', { compute: 0.9, communication: 0.2 }, 'INVALID_INPUT', 'The shares add up to 1.1; together they are at most 1, the rest is other time'],
    ['a stale version', { version: 7, compute: 0.5 }, 'CONFLICT', 'This audit changed meanwhile: it is at version 1, and your change is based on 7'],
  ])('refuses %s', async (_, input, code, message) => {
    const of_ = { auditId: of.audit.id, version: 1 };
    expect(await refused(app, app.as(of.contributor), SET, { ...of_, ...input })).toMatchObject({ code, message });
  }); // prettier-ignore

  it('tells the current state with a conflict', async () => {
    const { extensions } = await refused(app, app.as(of.contributor), SET, {
      auditId: of.audit.id,
      version: 2,
      compute: 1,
    });
    expect(extensions).toMatchObject({ current: { id: of.audit.id, version: 1, status: 'OPEN' } });
  });

  it('refuses viewers, strangers, nobody, and a closed audit', async () => {
    const input = { auditId: of.audit.id, version: 1, compute: 0.5 };
    expect((await refused(app, app.as(of.viewer), SET, input)).code).toBe('FORBIDDEN');
    expect((await refused(app, app.as(of.stranger), SET, input)).code).toBe('NOT_FOUND');
    expect((await refused(app, app.as(null), SET, input)).code).toBe('UNAUTHENTICATED');
    const closed = await given.audit(app.db, { status: 'CLOSED' });
    const refusal = await refused(app, app.as(closed.contributor), SET, { ...input, auditId: closed.audit.id });
    expect(refusal).toMatchObject({ code: 'CONFLICT', message: 'This audit is closed; a maintainer can reopen it' });
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, of.project.id);
    expect((await set({ compute: 0.9, host: 0.2 }, member)).errors[0]?.message).toBe(
      '各项占比之和为 1.1，不得超过 1，余下的为其他时间',
    );
  });
});

describe('importTimeBreakdown', () => {
  const importing = (input: object, viewer: { id: string } = of.contributor) =>
    app.as(viewer).send(IMPORT, {
      input: { auditId: of.audit.id, version: 1, content: KERNELS, fileName: 'kernels.csv', ...input },
    });

  it('reads a profile, and relates it to the step', async () => {
    const { data, errors } = await importing({ stepSeconds: 0.2, steps: 10 });
    expect(errors).toEqual([]);
    const { breakdown, lines, ...report } = data.importTimeBreakdown;
    expect(breakdown).toMatchObject({
      compute: 0.375,
      communication: 0.125,
      input: null,
      host: null,
      other: 0.5,
      isOfStep: true,
      source: 'IMPORTED',
      note: 'kernels.csv (nsys-stats)',
      by: { id: of.contributor.id },
    });
    expect(lines).toEqual([
      { name: 'gemm', category: 'COMPUTE', seconds: 0.75, share: 0.375 },
      { name: 'ncclDevKernel_AllReduce', category: 'COMMUNICATION', seconds: 0.25, share: 0.125 },
    ]);
    expect(report).toMatchObject({
      format: 'nsys-stats',
      isDryRun: false,
      audit: { id: of.audit.id, version: 2, timeBreakdown: { compute: 0.375 } },
    });
    expect(report.problems.map((problem: { isBlocking: boolean }) => problem.isBlocking)).toEqual([false, false]);
    expect(await history()).toMatchObject([{ before: null, after: { compute: 0.375, source: 'IMPORTED' } }]);
  });

  it('marks shares of device time as such', async () => {
    const { data } = await importing({});
    expect(data.importTimeBreakdown.breakdown).toMatchObject({ compute: 0.75, communication: 0.25, isOfStep: false });
    expect(data.importTimeBreakdown.problems.at(-1).message).toMatch(/^These are shares of 1 s of device time/);
  });

  it('writes nothing in a dry run, and says the same', async () => {
    const before = await rowsOf(app.db);
    const { data } = await importing({ dryRun: true });
    expect(data.importTimeBreakdown).toMatchObject({
      isDryRun: true,
      breakdown: { compute: 0.75 },
      audit: { version: 1, timeBreakdown: null },
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('says that it takes the place of what a person typed in', async () => {
    await set({ compute: 0.5, host: 0.3 });
    for (const dryRun of [true, false]) {
      const { data } = await importing({ version: 2, dryRun });
      expect(data.importTimeBreakdown.problems.at(-1).message).toMatch(
        /^This takes the place of what a person typed in on \d{4}-\d\d-\d\d; the history keeps it$/,
      );
    }
    expect((await history())[1]).toMatchObject({ before: { host: 0.3 }, after: { host: null } });
  });

  it('writes nothing for a file with errors', async () => {
    const before = await rowsOf(app.db);
    const { data } = await importing({ content: '{"compute": 12, "comm": 4}', clientMutationId: 'bad' });
    expect(data.importTimeBreakdown).toMatchObject({
      format: 'named-shares',
      breakdown: null,
      lines: [],
      problems: [
        {
          line: null,
          isBlocking: true,
          message: 'The values add up to 16 and say no unit: write shares up to 1, "62 %", or times such as "12.3 ms"',
        },
      ],
      audit: { version: 1, timeBreakdown: null },
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it.each([
    ['compute_s,communication_s\n1e999,5\n', 2, 'compute_s "1e999" is too large'],
    ['compute_s,communication_s,input_s\n1e308,1e308,1\n', 2, 'compute_s "1e308" is too large'],
    ['Time (%),Total Time (ns),Instances,Name\n1,1e999,1,a\n', 2, 'Total Time (ns) "1e999" is too large'],
    ['compute;1,234 ms\nhost;500 us\n', 1, 'compute "1,234 ms" can be 1.234 or 1234, and the file does not tell which: write numbers with a decimal point and without separators of thousands'],
  ])('names line and value of a number that cannot be taken, and writes nothing: %s', async (content, line, message) => {
    const before = await rowsOf(app.db);
    for (const dryRun of [true, false]) {
      const { data, errors } = await importing({ content, dryRun });
      expect(errors).toEqual([]);
      expect(data.importTimeBreakdown).toMatchObject({ breakdown: null, lines: [], audit: { timeBreakdown: null } });
      expect(data.importTimeBreakdown.problems[0]).toEqual({ line, message, isBlocking: true });
    }
    expect(added(before, await rowsOf(app.db))).toEqual({});
  }); // prettier-ignore

  it('gives the same answer to a repeated request', async () => {
    const first = await importing({ clientMutationId: 'again' });
    await set({ version: 2, compute: 0.1 });
    const again = await importing({ clientMutationId: 'again' });
    expect(again.data.importTimeBreakdown.breakdown).toEqual(first.data.importTimeBreakdown.breakdown);
    expect(await read()).toMatchObject({ version: 3, timeBreakdown: { compute: 0.1 } });
  });

  it.each([
    ['no step time', { stepSeconds: 0 }, 'INVALID_INPUT', 'stepSeconds must be above 0, and is 0'],
    ['a step of ages', { stepSeconds: 1e308, steps: 2_000_000_000 }, 'INVALID_INPUT', 'stepSeconds must be at most 1000000000, and is 1e+308'],
    ['no steps', { steps: 0 }, 'INVALID_INPUT', 'steps must be at least 1, and is 0'],
    ['no devices', { devices: -1 }, 'INVALID_INPUT', 'devices must be at least 1, and is -1'],
    ['no file name', { fileName: ' ' }, 'INVALID_INPUT', 'fileName is empty'],
    ['a stale version', { version: 3 }, 'CONFLICT', 'This audit changed meanwhile: it is at version 1, and your change is based on 3'],
    ['a stale version in a dry run', { version: 3, dryRun: true }, 'CONFLICT', 'This audit changed meanwhile: it is at version 1, and your change is based on 3'],
  ])('refuses %s', async (_, input, code, message) => {
    const { data, errors } = await importing(input);
    expect([data, errors[0]?.extensions['code'], errors[0]?.message]).toEqual([null, code, message]);
  }); // prettier-ignore

  it('refuses viewers, strangers, nobody, and a closed audit, in a dry run too', async () => {
    const input = { auditId: of.audit.id, version: 1, content: KERNELS, fileName: 'kernels.csv' };
    const closed = await given.audit(app.db, { status: 'CLOSED' });
    for (const dryRun of [true, false]) {
      expect((await refused(app, app.as(of.viewer), IMPORT, { ...input, dryRun })).code).toBe('FORBIDDEN');
      expect((await refused(app, app.as(of.stranger), IMPORT, { ...input, dryRun })).code).toBe('NOT_FOUND');
      expect((await refused(app, app.as(null), IMPORT, { ...input, dryRun })).code).toBe('UNAUTHENTICATED');
      const ofClosed = { ...input, auditId: closed.audit.id, dryRun };
      expect((await refused(app, app.as(closed.contributor), IMPORT, ofClosed)).code).toBe('CONFLICT');
    }
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, of.project.id);
    const { data } = await importing({ content: 'hello' }, member);
    expect(data.importTimeBreakdown.problems[0].message).toBe(
      '无法识别的输出，可识别的有：torch.profiler（key_averages().table()）；nsys stats（cuda_gpu_kern_sum、cuda_gpu_mem_time_sum、cuda_gpu_sum）；Holistic Trace Analysis（get_temporal_breakdown 或 get_gpu_kernel_breakdown 的 CSV）；PyTorch Profiler（TensorBoard）的单步时间分解 CSV（Kernel、Memcpy、Memset、Communication、Runtime、DataLoader、CPU Exec、Other）；含 compute、communication、input、host 的 JSON 或 CSV（占比、百分比或时间）',
    );
    const hta = 'idle_time(us),compute_time(us),non_compute_time(us),kernel_time(us)\n100,600,300,1000\n';
    const { data: read } = await importing({ content: hta, dryRun: true }, member);
    const { lines } = read.importTimeBreakdown;
    expect(lines.map(({ name }: { name: string }) => name)).toEqual(['计算', '未被掩盖的通信与显存操作', '空闲']);
  });

  it('refuses numbers without an end in the query itself', async () => {
    const send = (fields: string) =>
      app.as(of.contributor).send(`mutation { importTimeBreakdown(input: { auditId: "${of.audit.id}", version: 1, fileName: "a", content: "compute,0.5", ${fields} }) { format } }`); // prettier-ignore
    const { errorCode, errors } = await send('stepSeconds: 1e999');
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', 'stepSeconds must be at most 1000000000, and is Infinity']); // prettier-ignore
    const typed = await app
      .as(of.contributor)
      .send(`mutation { setTimeBreakdown(input: { auditId: "${of.audit.id}", version: 1, compute: 1e999 }) { id } }`);
    expect(typed.errorCode).toBe('INVALID_INPUT');
    expect((await read()).timeBreakdown).toBeNull();
  });
});

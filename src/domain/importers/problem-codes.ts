import type { BothLanguages } from '../locale.js';

/** The kinds of problems that reading a file may find, and what each says. Clients know them by name: none is renamed. */
export const problemCodes = {
  // the content as a whole
  EMPTY: { en: 'The content is empty', zh: '内容为空' },
  TOO_LARGE: { en: 'More than is taken', zh: '超过允许的大小或数量' },
  ARCHIVE: { en: 'A packed file', zh: '内容是压缩文件' },
  DAMAGED_ARCHIVE: { en: 'A gzip file that cannot be unpacked', zh: 'gzip 文件无法解压' },
  NOT_TEXT: { en: 'Binary data, or an encoding that is not read', zh: '二进制数据，或不支持的编码' },
  NOT_UTF8: { en: 'Bytes that are not UTF-8 were read as U+FFFD', zh: '非 UTF-8 字节按 U+FFFD 读取' },
  ENCODING_ASSUMED: { en: 'The encoding is not marked and was assumed', zh: '未标明编码，按推测读取' },
  TRUNCATED: { en: 'The content is cut off', zh: '内容被截断' },
  INVALID_JSON: { en: 'This is no valid JSON', zh: 'JSON 无效' },
  UNRECOGNIZED: { en: 'No format is known for it', zh: '未知格式' },
  UNKNOWN_FORMAT: { en: 'The format that was asked for does not exist', zh: '指定的格式不存在' },
  SEVERAL_FORMATS: { en: 'It may be of several formats', zh: '可能属于多种格式' },
  NO_RESULT: { en: 'There is no result in it', zh: '没有结果' },
  // what keeps a file, a result or a value from being written
  UNREADABLE: { en: 'The file is not as its tool writes it', zh: '文件与该工具的输出不符' },
  UNREADABLE_RUN: { en: 'A result is not as its tool writes it', zh: '某个结果与该工具的输出不符' },
  UNREADABLE_VALUE: { en: 'A value is not as its tool writes it', zh: '某个值与该工具的输出不符' },
  NO_MEASUREMENT: {
    en: 'A result measured nothing: all of it failed, or is zero',
    zh: '某个结果不能作为测量：全部失败，或为零',
  },
  CHECK_FAILED: {
    en: 'The tool found wrong data or did not reach its goal: the numbers are not valid',
    zh: '工具检出错误数据或未达到目标，数值无效',
  },
  AMBIGUOUS_NUMBER: { en: 'A number can be read in two ways', zh: '数字有两种读法' },
  NO_NUMBER: { en: 'There is no number where one is expected', zh: '应为数字处不是数字' },
  NO_UNIT: { en: 'The unit is not said', zh: '未给出单位' },
  AMBIGUOUS_UNIT: { en: 'The unit can mean several things', zh: '单位有多种含义' },
  WRONG_UNIT: { en: 'The value does not fit the unit of its metric', zh: '数值与指标的单位不符' },
  UNKNOWN_METRIC: { en: 'There is no such metric', zh: '没有这个指标' },
  // tables that a mapping explains
  NO_TABLE: { en: 'There is no table', zh: '没有表格' },
  NO_HEADER: { en: 'The table has no names of columns', zh: '表格没有列名' },
  SEVERAL_LISTS: { en: 'Several lists may be the table', zh: '有多个列表可作为表格' },
  MAPPING_NEEDED: { en: 'Somebody must say what the columns mean', zh: '需要说明各列含义' },
  MAPPING_REMEMBERED: { en: 'A remembered mapping was used', zh: '使用了已记住的映射' },
  COLUMN_MISSING: { en: 'The mapping names a column that is not there', zh: '映射指定的列不存在' },
  COLUMN_NOT_MAPPED: { en: 'The mapping says nothing about a column', zh: '映射未提及某列' },
  UNIT_DIFFERS: { en: 'The name of a column says another unit than the mapping', zh: '列名中的单位与映射给出的不同' },
  ROWS_POOLED: {
    en: 'Rows that differ in a column without a meaning were pooled',
    zh: '未说明含义的列取值不同的行被合并',
  },
  // what is not there
  LEFT_OUT: { en: 'Values of the file are not among the observations', zh: '文件中的部分值未采用' },
  INCOMPLETE: {
    en: 'The file ends early, or lacks a part that its tool writes',
    zh: '文件不完整，或缺少工具会写出的部分',
  },
  LAST_LINE_OPEN: { en: 'The last line does not end: it may be cut', zh: '最后一行没有换行，可能被截断' },
  REPEATED_CONTENT: {
    en: 'The same result stands there several times and counts once',
    zh: '同一结果重复出现，只计一次',
  },
  PART_FAILED: {
    en: 'Part of what was run failed; the numbers are of the rest',
    zh: '部分执行失败，数值只统计其余部分',
  },
  NO_DEVICE_TIMES: { en: 'A profile without times of a device', zh: '性能剖析结果没有设备时间' },
  WORKLOAD_UNKNOWN: { en: 'The file does not say what was run: state it', zh: '文件没有说明运行了什么，请补充' },
  // what makes numbers doubtful
  FEW_SAMPLES: { en: 'Too little was measured for what the numbers seem to say', zh: '样本太少，不足以支持这些数值' },
  UNSTABLE: { en: 'The tool found no stable value', zh: '工具提示数值不稳定' },
  ROUNDED: { en: 'The value has few digits', zh: '数值有效位数少' },
  WARM_UP_INCLUDED: {
    en: 'The value contains the warm-up, or what was before the benchmark',
    zh: '数值包含预热或基准测试之前的部分',
  },
  OVERHEAD: { en: 'The way of measuring makes up much of the value', zh: '测量方式本身对数值影响较大' },
  DEBUG_BUILD: { en: 'A debug build was measured', zh: '测量的是 debug 构建' },
  CLOCKS_VARY: { en: 'Clocks were limited or not fixed', zh: '频率受限或未固定' },
  CLIENT_LIMITED: { en: 'The client may have been the limit', zh: '瓶颈可能在客户端' },
  OTHER_MEANING: {
    en: 'The value means something else than its name says elsewhere',
    zh: '数值的含义与通常不同',
  },
  GROUPED: { en: 'How values belong together was assumed', zh: '数值的归属按推测处理' },
  // a breakdown of time
  SHARE_UNKNOWN: { en: 'The file does not tell a share of the time', zh: '文件没有给出某部分时间的占比' },
  OVERLAPPING: { en: 'Work that overlaps counts once, or as something else', zh: '重叠的工作只计一次，或计入别处' },
  REPLACED: { en: 'It takes the place of what a person stated', zh: '取代由人填写的内容' },
  // facts
  FACT_DIFFERS: {
    en: 'The caller, the file or the environment say different things',
    zh: '调用方、文件或环境的说法不同',
  },
  FACT_CONTRADICTED: { en: 'A fact contradicts another one', zh: '信息相互矛盾' },
  // the report
  IMPORTED_BEFORE: { en: 'The same file was imported before', zh: '同一文件此前已导入' },
  MORE: { en: 'There are more problems of a kind', zh: '另有同类问题' },
  NOTE: { en: 'Something worth knowing, in imports of older versions', zh: '值得注意（旧版本的导入）' },
} as const satisfies Readonly<Record<string, BothLanguages>>;

export type ProblemCode = keyof typeof problemCodes;

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemCodes, code);
}

import { createHash } from 'node:crypto';
import { cutText } from '../cut-text.js';
import { invalidInput, type DomainError } from '../errors.js';
import type { Facts, FactValue } from './environment-diff.js';

const MAX_REDACTED = 8_000;

/** What the mark of a removed text tells of it. */
type Fingerprint = (removed: string) => string;

const anonymous: Fingerprint = () => '';
const digest: Fingerprint = (removed) => `:${createHash('sha256').update(removed).digest('hex').slice(0, 8)}`;

/** A mark stays as it is, so that redacting twice changes nothing more. */
function mark(removed: string, fingerprint: Fingerprint): string {
  return /^\[redacted(:[0-9a-f]{8})?\]$/.test(removed) ? removed : `[redacted${fingerprint(removed)}]`;
}

/**
 * The facts without what tells of a person, a machine or a secret, and the keys that lost something. Where a part of a
 * value is removed, 8 hex digits of its SHA-256 stay: values that differ must not become equal.
 */
export function redactFacts(facts: Facts): { readonly facts: Facts; readonly removed: readonly string[] } {
  const kept: Record<string, FactValue> = {};
  const removed: string[] = [];
  for (const [key, value] of Object.entries(facts)) {
    const clean = isPrivateKey(key, value) ? null : redactedValue(key, value);
    if (clean !== null) kept[key] = clean;
    if (clean === null ? value !== null : JSON.stringify(clean) !== JSON.stringify(value)) removed.push(key);
    else if (value === null) kept[key] = null;
  }
  return { facts: kept, removed };
}

/**
 * The text without addresses (IPv4, IPv6, MAC, e-mail), UUIDs, serial numbers, credentials, user names in paths and
 * hosts in URLs. Four numbers behind a word such as "version" or a package name are a version, not an address.
 */
export function redactText(text: string): string {
  return cleanText(bounded(text, anonymous), anonymous);
}

/** As `redactText`, and without values of secret options and variables, host options, and folders outside the system. */
export function redactCommand(command: string): string {
  return cleanCommand(bounded(command, anonymous), anonymous);
}

function cleanText(text: string, fingerprint: Fingerprint): string {
  const withoutUrls = text.replace(
    /\b([a-z][a-z0-9+.-]{1,20}):\/\/([^\s/"'<>]+)/gi,
    (_, scheme: string, authority: string) => `${scheme}://${cleanAuthority(scheme, authority, fingerprint)}`,
  );
  return simple
    .reduce(
      (result, pattern) =>
        result.replace(pattern, (found: string, kept: string | number) => {
          const prefix = typeof kept === 'string' ? kept : '';
          return prefix + mark(found.slice(prefix.length), fingerprint);
        }),
      withoutAssignments(withoutUrls, fingerprint),
    )
    .replace(homePath, (found) => cleanHome(found, fingerprint))
    .replace(ipv4, (found, offset: number, whole: string) =>
      isVersion(whole, offset, found) || !isMachineAddress(found) ? found : mark(found, fingerprint),
    )
    .replace(ipv6, (found) => (isIpv6(found) ? mark(found, fingerprint) : found));
}

/** What stays of `NAME=value`, by its name. */
function cleanAssignment(fingerprint: Fingerprint) {
  return (found: string, name: string, value: string): string => {
    if (isSecretName(name)) return `${name}=${mark(value, anonymous)}`;
    return isPrivateName(name) ? `${name}=${cleanHost(value, fingerprint)}` : found;
  };
}

/** Variables of an environment and secret options, as names of benchmarks and logs hold them. */
function withoutAssignments(text: string, fingerprint: Fingerprint): string {
  return text
    .replace(/\b([A-Z][A-Z0-9_]{2,60})=("[^"]*"|'[^']*'|[^\s,;/]+)/g, cleanAssignment(fingerprint))
    .replace(/(?<![\w-])(--[a-z][\w-]{1,60}[= ])([^\s-]\S{7,})/g, (found, option: string, value: string) =>
      isSecretName(option.slice(2, -1)) && !/^\d+$/.test(value) ? option + mark(value, anonymous) : found,
    );
}

function cleanCommand(command: string, fingerprint: Fingerprint): string {
  const withoutSecrets = command
    .replace(/\b([A-Za-z_][A-Za-z0-9_]*)=("[^"]*"|'[^']*'|\S+)/g, cleanAssignment(fingerprint))
    .replace(
      /(\s--?)([A-Za-z][\w-]*)([= ]\s{0,5})("[^"]*"|'[^']*'|[^\s-]\S*)/g,
      (found, dash: string, name: string, gap: string, value: string) =>
        isSecretName(name)
          ? `${dash}${name}${gap}${mark(value, anonymous)}`
          : addressOptions.test(name)
            ? `${dash}${name}${gap}${cleanAddress(command, name, value, fingerprint)}`
            : hostOptions.test(name)
              ? `${dash}${name}${gap}${mark(value, fingerprint)}`
              : found,
    )
    .replace(
      /(\bsshpass\s{1,5}-p\s{0,5})([^\s-]\S*)/g,
      (_, before: string, value: string) => before + mark(value, anonymous),
    )
    .replace(
      attachedPassword,
      (found, dash: string, value: string) => `${dash}${found.endsWith(value) ? mark(value, anonymous) : value}`,
    )
    .replace(remoteShell, (_, before: string, host: string) => before + cleanHost(host, fingerprint))
    .replace(copiedFrom, (_, host: string) => cleanHost(host, fingerprint))
    .replace(linkTest, (found, before: string, option: string, gap: string, host: string) =>
      linkValue.test(option) ? found : before + option + gap + cleanHost(host, fingerprint),
    );
  return cleanText(withoutSecrets, fingerprint).replace(absolutePath, (path) => shortenedPath(path, fingerprint));
}

/** Cut before a word, so that no half of a secret stays. */
function bounded(text: string, fingerprint: Fingerprint): string {
  if (text.length <= MAX_REDACTED) return text;
  const start = cutText(text, MAX_REDACTED).replace(/\S{0,200}$/, '');
  const rest = fingerprint(text.slice(start.length));
  return rest === '' ? start : `${start}[redacted${rest}]`;
}

/** Names of variables that hold credentials, or belong to a service for which they do. */
function isSecretName(name: string): boolean {
  const plain = name.replace(/-/g, '_');
  if (/^(AWS|HF|HUGGINGFACE|HUGGING_FACE|WANDB|OPENAI|ANTHROPIC|AZURE|NGC|GITHUB|GITLAB|KAGGLE|SLACK)_/.test(plain))
    return true;
  if (/secret|passw(or)?d|passphrase|credential|private_?key|access_?key|api_?key|authorization|cookie/i.test(plain))
    return true;
  return /(^|_)token$|^token(_|$)|_key$|(^|_)auth$/i.test(plain) && !/per_token$|^sort_key$/i.test(plain);
}

const privateNames = new Set([
  'hostname', 'host', 'host_name', 'nodename', 'node_name', 'fqdn', 'hosts', 'nodelist', 'user', 'username', 'user_name',
  'logname', 'login', 'home', 'pwd', 'oldpwd', 'mail', 'email', 'serial', 'serial_number', 'uuid', 'gpu_uuid', 'guid', 'mac',
  'mac_address', 'ip', 'ip_address', 'ipaddr', 'address', 'master_addr', 'sudo_user', 'sudo_uid', 'machine_id', 'bus_id',
  'busid', 'kube_node', 'my_node_name', 'my_pod_ip', 'my_host_ip', 'pod_ip', 'host_ip', 'dns', 'domain',
]); // prettier-ignore

function isPrivateName(name: string): boolean {
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return (
    privateNames.has(plain) ||
    /^ssh_|_hostname$|_nodelist$|_username$|_serial$|_uuid$|_hosts$|_host_ip$|(?<!per)_user$/.test(plain)
  );
}

/** `host.memory` is a fact of the registry, `host` and `host.name` name a machine. */
function isPrivateKey(key: string, value: FactValue): boolean {
  const parts = key.split('.');
  const last = parts.at(-1) ?? key;
  if (typeof value === 'number' || typeof value === 'boolean') return isSecretName(last) && /passw|secret/i.test(last);
  if (/(^|\.)(host|node|machine|user)\.(name|id)$/i.test(key)) return true;
  return isSecretName(last) || isPrivateName(last);
}

/** True for keys whose values are versions, in which four numbers are no address. */
export function isVersionKey(key: string): boolean {
  return versionKey.test(key);
}

const versionKey =
  /(^|[._])(version|driver|cuda|rocm|cann|nccl|rccl|cudnn|torch|triton|python|vllm|sglang|tensorrt_?llm|tensorrt|transformer_?engine|os|kernel|image|firmware|vbios|bios)$/i;

function redactedValue(key: string, value: FactValue): FactValue {
  if (typeof value === 'string') return redactedString(key, value);
  if (Array.isArray(value)) {
    return value.map((entry: string | number | boolean) =>
      typeof entry === 'string' ? redactedString(key, entry) : entry,
    );
  }
  return value;
}

function redactedString(key: string, value: string): string {
  const isBareVersion = versionKey.test(key) && /^[\d.+\-\w]+$/.test(value) && !/^(GPU|MIG)-/.test(value);
  const isCredential = credentials.some((form) => value.search(form) !== -1);
  if (isBareVersion && value.length < 60 && !isCredential) return value;
  const clean = /(^|\.)command$/.test(key) ? cleanCommand : cleanText;
  return clean(bounded(value, digest), digest);
}

/** Credentials by their form; a first group stays. Repetitions are bounded where a text could make them quadratic. */
const credentials: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<![\w-])((?:[\w-]{0,40}-)?)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{5,}/g,
  /\b(?:hf|ghp|gho|ghu|ghs|ghr|glpat|nvapi|npm|sk|xox[abprs])[-_][\w-]{16,}/g,
  /\bgithub_pat_\w{20,}/g,
  // a service token of our own
  /\btb_[0-9a-f]{10}_[\w-]{20,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/g,
];

/** What is removed; a first group stays. */
const simple: readonly RegExp[] = [
  ...credentials,
  /\b((?:password|passwd|secret|api[-_ ]?key|access[-_ ]?token)\s{0,3}[:=]\s{0,3})\S+/gi,
  /\b(serial(?:[ _-]?(?:number|no))?\s{0,20}[:=]\s{0,3})\S+/gi,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /(?<![\w:.-])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])/gi,
  /(?<![\w:.])[0-9a-f]{4}(?::[0-9a-f]{4}){3}(?![\w:.])/gi,
  /\bip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}\b(?:\.[\w.-]+)?/gi,
  /(?<![\w-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.(?:internal|local|lan|corp|intranet)\b/gi,
  // an e-mail has a dot behind the @: model@revision and image@sha256:… are none
  /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z][\w-]{1,62}/g,
  // user@host at a prompt, before a path, or behind ssh
  /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z][\w-]{0,62}(?=:[~/])/g,
  /\b((?:ssh|scp|sftp|rsync)\s{1,5})[\w.+-]{1,64}@[A-Za-z][\w-]{0,62}/g,
];

const homePath =
  /(?:\/(?:home|Users|export\/home|mnt\/home|data\/home)\/|[A-Za-z]:\\Users\\)[^\s/\\"':;,<>|]+|(?<![\w~./])\/root(?=\/|\s|$)/g;

function cleanHome(found: string, fingerprint: Fingerprint): string {
  return fingerprint === anonymous ? '~' : `~${mark(found, fingerprint)}`;
}

const ipv4 = /(?<![\w.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w]|\.\d)/g;
const ipv6 = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;

/** Loopback and "any" name no machine. */
function isMachineAddress(found: string): boolean {
  const numbers = found.split('.').map(Number);
  return !numbers.some((number) => number > 255) && numbers[0] !== 127 && found !== '0.0.0.0';
}

function isVersion(whole: string, offset: number, found: string): boolean {
  const after = whole.slice(offset + found.length, offset + found.length + 3);
  if (/^[:/]\d/.test(after)) return false;
  const before = whole.slice(Math.max(0, offset - 32), offset);
  return /(?:[-+_~^]|[=<>!~]=|[<>]|\bv(?:er(?:sion)?)?\.?|version|release|driver|firmware|library|toolkit|cuda|cudnn|cublas|cufft|nccl|rccl|tensorrt|torch|onnx\w*|ofed|doca|numpy|python)["']?\s{0,3}[:=]?\s{0,3}["'(]?$/i.test(
    before,
  );
}

function isIpv6(found: string): boolean {
  if (found === '::' || found === '::1' || !/\d/.test(found)) return false;
  return found.includes('::') ? found.indexOf('::') === found.lastIndexOf('::') : found.split(':').length === 8;
}

/** Schemes whose URLs name a machine; s3://bucket or hf://owner name data. */
const networkScheme =
  /^(?:[a-z]+[+:])?(?:https?|wss?|ftps?|sftp|ssh|scp|git|rsync|tcp|udp|tls|ssl|grpcs?|postgres(?:ql)?|mysql|mariadb|mssql|oracle|sqlserver|mongodb|rediss?|amqps?|kafka|nats|mqtts?|ldaps?|smb|nfs|hdfs|zmq|ucx|rdma|etcd|clickhouse|socks[45]h?)(?:\+[a-z0-9]+)?$/i;

/** Keeps what everybody can reach; a bare or internal name tells of a machine. */
function cleanAuthority(scheme: string, authority: string, fingerprint: Fingerprint): string {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  const isNetwork = networkScheme.test(scheme);
  if (!isNetwork && !user.includes(':')) return authority;
  const [host = '', port] = authority.slice(at + 1).split(/:(?=\d+$)/);
  const shown = !isNetwork || isLoopback(host) || isPublic(host) ? host : mark(host, fingerprint);
  // Credentials get no fingerprint: a weak password could be guessed from it.
  return `${at === -1 ? '' : `${mark(user, anonymous)}@`}${shown}${port ? `:${port}` : ''}`;
}

/** Services that everybody uses: their names tell of nobody. */
function isPublic(host: string): boolean {
  return publicHosts.test(host);
}

const publicHosts =
  /(?:^|\.)(?:huggingface\.co|hf-mirror\.com|modelscope\.cn|github\.com|githubusercontent\.com|gitlab\.com|pytorch\.org|tensorflow\.org|python\.org|pypi\.org|pythonhosted\.org|docker\.(?:io|com)|ghcr\.io|gcr\.io|quay\.io|nvcr\.io|nvidia\.(?:com|cn)|amd\.com|intel\.com|hiascend\.com|gitee\.com|kaggle\.com|openai\.com|anthropic\.com|amazonaws\.com|googleapis\.com|azure\.com|aliyuncs\.com|readthedocs\.io|arxiv\.org|apache\.org|mlcommons\.org|example\.(?:com|org|net))$/i;

const hostOptions = /^(H|hosts|hostname|nodelist|node-list|user|username|w|hostfile|ssh[-_]host|login)$/;

/** Options whose value is a host, a host with its port, or a URL. */
const addressOptions =
  /^(u|h|c|host|url|base[-_]url|api[-_]base|api[-_]url|endpoint|endpoint[-_]url|server|server[-_]url|server[-_]addr|addr|address|target|target[-_]url|master[-_]addr|rdzv[-_]endpoint|init[-_]method|proxy|broker|registry|metrics[-_]url|prometheus[-_]url|bind)$/;
/** Of these, those that mean other things too: only what looks like a machine is taken for one. */
const looseOptions = /^(u|h|c|endpoint|server|addr|address|target|registry|broker|bind)$/;

function cleanAddress(command: string, name: string, value: string, fingerprint: Fingerprint): string {
  // The rule for URLs keeps their ports and paths
  if (/^["']?[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value) || value.startsWith('/')) return value;
  if (name === 'u' && /^[^/\s:]+:[^/\s]*[^/\s\d][^/\s]*$/.test(value)) return mark(value, anonymous);
  if (name === 'c' && !/\b(?:iperf3?|sockperf|uperf)\b/.test(command)) return value;
  if (!looseOptions.test(name)) return cleanHost(value, fingerprint);
  const isHost = /^["']?(?=[^"']*[\d.:])[A-Za-z0-9][\w.-]*(?::\d{1,5}(?:\/\S*)?)?["']?$/.test(value);
  // A script runs unbuffered behind -u, and a count of clients stands behind -c
  const isOther = /^\d+$|\.(?:py|sh|js|ts|ya?ml|json|toml|cfg|conf|txt)$/i.test(value);
  return (isHost || name === 'c') && !isOther ? cleanHost(value, fingerprint) : value;
}

/** A host without its name, its port kept; loopback names no machine. */
function cleanHost(host: string, fingerprint: Fingerprint): string {
  const [, name = host, port = ''] = /^(.*?)(:\d{1,5}(?:\/\S*)?)?$/.exec(host) ?? [];
  return (isLoopback(name) ? name : mark(name, fingerprint)) + port;
}

function isLoopback(host: string): boolean {
  return /^["']?(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1?\]?)["']?$/i.test(host);
}

/** `-phunter2`, as mysql and sshpass take it: letters and digits in one, and none of the words that begin so. */
const attachedPassword =
  /(\s-p)(?!(?:precision|prefill|prompt|parallel|port|page|profile|partition|pipeline|pp|ps|pt|process)[-_\w]*)(?=\S*\d)(?=\S*[A-Za-z])([A-Za-z!@#$%^&*]\S{4,100})/g;

/** The first word behind ssh that is no option. */
const remoteShell =
  /(\bssh(?:\s{1,5}-[A-Za-z46](?:\s{1,3}[^\s-]\S{0,100})?){0,10}\s{1,5})(?!-)([A-Za-z][\w-]*(?:\.[\w-]+)*)(?=\s|$)/g;

/** `scp gpu17:/data/x .` */
const copiedFrom = /(?<=\b(?:scp|rsync)\b[^|;&\n]{0,200}\s)([A-Za-z][\w-]*(?:\.[\w-]+)*)(?=:[~/.\w])/g;

/** `ib_write_bw -d mlx5_0 --report_gbits gpu17`: the peer stands last, where it is not the value of an option. */
const linkTest = /(\bib_(?:write|read|send|atomic)_(?:bw|lat)\b[^|;&\n]{0,500}?\s)(\S+)(\s+)([A-Za-z][\w.-]*)(?=\s*$)/g;
const linkValue =
  /^(?:-[dipsnqmxtTSDQrwugIcMCfv]|--(?!report|bidir|all|run|cpu|dont|perform|no|use_rocm|odp|events|noPeak)[\w-]+)$/;

const absolutePath = /(?<![\w.~:/$})\]])\/(?:[\w.@%+~-]+\/)+[\w.@%+~-]+/g;
const systemFolders = /^\/(?:usr|opt|bin|sbin|lib|lib64|etc|dev|proc|sys|run|tmp|var)\//;

function shortenedPath(path: string, fingerprint: Fingerprint): string {
  if (systemFolders.test(path)) return path;
  const end = path.lastIndexOf('/');
  return `[path${fingerprint(path.slice(0, end))}]${path.slice(end)}`;
}

const MAX_KEYS = 500;
const MAX_DEPTH = 8;
const MAX_TEXT = 4_000;
const MAX_CHARACTERS = 100_000;

// Hyphens for what names a capability: capability.liquid-cooling
const factPath = /^[a-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*)*$/;

/**
 * Facts from JSON that a caller sent: nested objects and dotted keys become one flat record, arrays of single values
 * stay, null means "not known". Throws INVALID_INPUT that names `place` and the key for anything else.
 */
export function normalizeFacts(input: unknown, place: string): Facts {
  const facts = new Map<string, FactValue>();
  if (input === null || input === undefined) return {};
  if (!isRecord(input)) throw bad(place, '', 'must be an object', '必须是对象');
  collect(input, '', 1, place, facts);
  const size = JSON.stringify([...facts]).length;
  if (size > MAX_CHARACTERS) {
    throw bad(
      place,
      '',
      `has ${size} characters; at most ${MAX_CHARACTERS} are kept`,
      `有 ${size} 个字符，最多保留 ${MAX_CHARACTERS} 个`,
    );
  }
  return Object.fromEntries(facts);
}

function collect(object: Readonly<Record<string, unknown>>, prefix: string, depth: number, place: string, facts: Map<string, FactValue>): void {
  for (const [name, value] of Object.entries(object)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (depth > MAX_DEPTH) throw bad(place, key, `is nested more than ${MAX_DEPTH} deep`, `嵌套超过 ${MAX_DEPTH} 层`);
    if (isRecord(value)) collect(value, key, depth + 1, place, facts);
    else put(key, factValue(value, key, place), place, facts);
  }
} // prettier-ignore

function put(key: string, value: FactValue, place: string, facts: Map<string, FactValue>): void {
  if (key.length > 200 || !factPath.test(key)) {
    throw bad(place, key, 'is not a path such as gpu.sku or env.NCCL_ALGO', '不是 gpu.sku、env.NCCL_ALGO 这样的路径');
  }
  if (facts.has(key) && JSON.stringify(facts.get(key)) !== JSON.stringify(value)) {
    throw bad(place, key, 'is given twice with different values', '出现两次，且值不同');
  }
  facts.set(key, value);
  if (facts.size > MAX_KEYS)
    throw bad(place, key, `is one of more than ${MAX_KEYS} keys`, `超出 ${MAX_KEYS} 个键的上限`);
}

function factValue(value: unknown, key: string, place: string): FactValue {
  // A text without a word says nothing
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return null;
  if (Array.isArray(value)) {
    if (value.length > MAX_KEYS) throw bad(place, key, `has more than ${MAX_KEYS} entries`, `超过 ${MAX_KEYS} 个元素`);
    return value.map((entry: unknown) => scalar(entry, key, place));
  }
  return scalar(value, key, place);
}

function scalar(value: unknown, key: string, place: string): string | number | boolean {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (typeof value !== 'string') {
    throw bad(place, key, 'must be a text, a finite number, true, false or a list of these', '必须是文本、有限数、布尔值，或由它们组成的列表');
  } // prettier-ignore
  if (cutText(value, MAX_TEXT).length < value.length)
    throw bad(place, key, `is longer than ${MAX_TEXT} characters`, `超过 ${MAX_TEXT} 个字符`);
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bad(place: string, key: string, en: string, zh: string): DomainError {
  const name = cutText(key, 100);
  const subject = name === '' ? place : `${place}.${name}`;
  return invalidInput({ en: `${subject} ${en}`, zh: `${subject} ${zh}` }, { place, key: name });
}

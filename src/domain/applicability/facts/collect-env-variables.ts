import { plainLine, stated } from './fact-lines.js';
import type { Finding } from './reader.js';

const wanted = /^(?:NCCL|CUDA|VLLM|TORCH|PYTORCH)_[A-Z0-9_]{1,80}$/;
/** Secrets, places and people: words of a name that is never taken. */
const personalName = /KEY|TOKEN|SECRET|PASSWORD|HOST|ADDR|USER|PATH|HOME|URL|URI|_(?:DIR|ROOT|IP|ID|NAME)(?:_|$)/;
/** Paths, addresses of the network and of mail, UUIDs of devices, domain names. */
const personalValue =
  /[/\\@]|\d{1,3}(?:\.\d{1,3}){3}|(?:GPU|MIG)-|[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{1,4}::?[0-9a-f]{1,4}:[0-9a-f]|[a-z]\.[a-z]/i;

/** An environment variable as `NAME=value`, null where the line is none. */
export function variableAt(text: string): { readonly name: string; readonly value: string } | null {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]{0,100})=(.*)$/.exec(text) ?? [];
  return name === undefined || value === undefined ? null : { name, value };
}

/** Lists of modules, models and flags are longer than settings. */
const LONGEST = 200;

/**
 * Variables of NCCL, CUDA, vLLM and PyTorch from this line on (counted from 0), up to the first line that is no
 * variable. Whatever could name a person, a place or a secret is passed over.
 */
export function variablesFrom(lines: readonly string[], start: number): { findings: Finding[]; lastLine: number } {
  const found = new Map<string, Finding>();
  let lastLine = start;
  for (let index = start; index < lines.length; index += 1) {
    const text = plainLine(lines[index]);
    if (text === '') continue;
    const variable = variableAt(text);
    if (!variable) break;
    lastLine = index + 1;
    const { name } = variable;
    const value = stated(variable.value);
    const isPersonal = value === null || personalName.test(name) || personalValue.test(value.slice(0, LONGEST + 1));
    if (!wanted.test(name) || isPersonal || value.length > LONGEST || found.has(name)) continue;
    found.set(name, { key: `env.${name}`, value, line: index + 1 });
  }
  return { findings: [...found.values()], lastLine };
}

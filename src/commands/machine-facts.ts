import { z } from 'zod';
import type { Facts, FactValue } from '../domain/measurement/environment-diff.js';
import { isSameFact } from '../domain/measurement/same-fact.js';
import { dataOf, type LocalService } from '../local-service.js';
import { CommandError, exit } from './command-error.js';
import { readInputs, refusedWhereUnread } from './input-files.js';
import { machineOutput } from './machine-output.js';

const DETECT = `
  query($content: String!) {
    detectEnvironment(content: $content) {
      runFacts summary { text } contradictions { key values { value } } problems { message { text } }
    }
  }`;

/** Facts with the option that said them. */
export interface GivenFacts {
  readonly option: string;
  readonly facts: Facts;
}

/** What a file and the tools of this machine say of it; the later stand over the earlier. Refused where they tell of two. */
export async function machineFacts(
  service: LocalService,
  { environment, detect }: { readonly environment?: string; readonly detect?: true },
): Promise<readonly GivenFacts[]> {
  const option = `--environment ${environment ?? ''}`;
  const ofFile = environment === undefined ? {} : await factsIn(service, environment);
  const ofTools = detect ? await factsOfTools(service) : {};
  for (const [key, value] of Object.entries(ofFile)) {
    const here = ofTools[key] ?? null;
    if (value === null || here === null || isSameFact(key, value, here)) continue;
    const what = `${option} says ${key} = "${shown(value)}", --detect finds "${shown(here)}"`;
    if (identity.has(key)) throw new CommandError(exit.REFUSED, `${what}: give the facts of one machine`);
    console.error(`warning: ${what}, which is kept`);
  }
  return [
    { option, facts: ofFile },
    { option: '--detect', facts: ofTools },
  ];
}

export interface SaidProblem {
  readonly line: number | null;
  readonly code: string;
  readonly value: string | null;
  readonly message: string;
  readonly isBlocking: boolean;
}

/** A problem about facts also names the options that said them. */
export function withOptions({ code, value, line, message, isBlocking }: SaidProblem, given: readonly GivenFacts[]) {
  const isOfFacts = code === 'FACT_DIFFERS' || code === 'FACT_CONTRADICTED';
  const keys = isOfFacts ? [...(value ?? '').matchAll(/(?:^|, )([\w.-]+): /g)].map(([, key = '']) => key) : [];
  const options = keys.flatMap((key) => given.findLast(({ facts }) => key in facts)?.option ?? []);
  const from = options.length === 0 ? '' : ` (you: ${[...new Set(options)].join(', ')})`;
  return { line, message: `${message}${from}`, isBlocking };
}

/** What tells one machine from another. */
const identity: ReadonlySet<string> = new Set(['vendor', 'architecture', 'gpu.sku', 'gpu.per_node']);

const factsShape = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number(), z.boolean()]))]),
);

/** A file of facts is a JSON object of keys and values, or the output of tools. Refused where it has no fact. */
async function factsIn(service: LocalService, path: string): Promise<Facts> {
  const texts = await refusedWhereUnread(() => readInputs([path]));
  const text = texts.map((file) => file.text).join('\n');
  const given = text.trimStart().startsWith('{') ? keyedFacts(path, text) : null;
  if (given === null) {
    const { facts, problem } = await detected(service, text, `--environment ${path}`);
    if (Object.keys(facts).length > 0) return facts;
    throw new CommandError(exit.REFUSED, `--environment ${path} says nothing of a machine: ${problem}`);
  }
  if (Object.values(given).some((value) => value !== null)) return given;
  throw new CommandError(exit.REFUSED, `--environment ${path} says nothing of a machine: it has no fact`);
}

function keyedFacts(path: string, text: string): Facts {
  try {
    return factsShape.parse(JSON.parse(text));
  } catch (cause) {
    throw new CommandError(exit.REFUSED, `${path} is no JSON object of facts by key`, { cause });
  }
}

async function factsOfTools(service: LocalService): Promise<Facts> {
  const { facts, problem } = await detected(service, await machineOutput(), '--detect');
  if (Object.keys(facts).length === 0) console.error(`warning: --detect finds nothing of this machine: ${problem}`);
  return facts;
}

interface Detected {
  readonly runFacts: unknown;
  readonly summary: { readonly text: string };
  readonly contradictions: readonly { readonly key: string; readonly values: readonly { readonly value: unknown }[] }[];
  readonly problems: readonly { readonly message: { readonly text: string } }[];
}

async function detected(
  service: LocalService,
  content: string,
  source: string,
): Promise<{ readonly facts: Facts; readonly problem: string }> {
  const { detectEnvironment } = dataOf<{ detectEnvironment: Detected }>(await service.ask(DETECT, { content }));
  const { runFacts, summary, contradictions, problems } = detectEnvironment;
  const facts = factsShape.parse(runFacts);
  for (const { key, values } of contradictions) {
    const said = values.map(({ value }) => `"${String(value)}"`).join(' and ');
    console.error(`warning: ${source} says ${key} = ${said}: it is left out`);
  }
  if (Object.keys(facts).length > 0) console.error(`Machine: ${summary.text}`);
  return { facts, problem: problems[0]?.message.text ?? 'no fact was found' };
}

function shown(value: Exclude<FactValue, null>): string {
  return typeof value === 'object' ? value.map(String).join(', ') : String(value);
}

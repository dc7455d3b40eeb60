import { argumentsIn, commandIn, engineIn, isClientCommand, type ClientArguments } from './client-arguments.js';

/** What stands between two results of a log and tells of the second. */
export interface Surroundings {
  heading: string | null;
  command: string | null;
  options: ClientArguments;
  /** Version of vLLM, where the engine runs in the same process. */
  engine: string | null;
  /** Lines of a command that goes on. */
  continued: string;
}

export const nothingAround = (): Surroundings => ({
  heading: null,
  command: null,
  options: {},
  engine: null,
  continued: '',
});

const LONGEST_COMMAND = 8_000;

/** Whether the line was a heading, a command, or printed options; it is kept then. */
export function noteAround(around: Surroundings, line: string): boolean {
  if (/\\\s{0,20}$/.test(line.slice(-21)) && around.continued.length < LONGEST_COMMAND) {
    around.continued += `${line.trimEnd().slice(0, -1)} `;
    return true;
  }
  const whole = around.continued + line;
  around.continued = '';
  const heading = /^\s{0,3}#{1,6} ([^#].{0,120})$/.exec(line)?.[1]?.trim();
  const isHeading = heading !== undefined && !/^(?:input|output) tokens/i.test(heading);
  if (isHeading) around.heading = heading;
  const engine = engineIn(whole);
  const options = engine?.options ?? argumentsIn(whole);
  if (engine) around.engine = engine.version;
  if (!options) return isHeading;
  around.options = { ...around.options, ...options };
  if (isClientCommand(whole)) around.command = commandIn(whole);
  return true;
}

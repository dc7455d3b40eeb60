import { packageFact, packageFacts, type Package } from './collect-env-packages.js';
import { plainLine } from './fact-lines.js';
import type { FactReader, ToolReading } from './reader.js';

interface Place {
  readonly tool: string;
  readonly firstLine: number;
  lastLine: number;
  readonly packages: Package[];
  /** A line that only a file of requirements has. */
  isRequirements: boolean;
}

/** Fewer pinned packages than this are a sentence about versions rather than the output of `pip freeze`. */
const FEWEST = 3;

/** `pip list` as a table and `pip freeze`, of pip and of uv: versions of frameworks, engines and libraries. */
export const pipList: FactReader = {
  tools: ['pip list', 'pip freeze'],
  read({ lines }) {
    const readings = [...tables(lines), ...freezes(lines)].flatMap((place) => readingOf(place) ?? []);
    return readings.sort((left, right) => left.firstLine - right.firstLine);
  },
};

function tables(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  let open: Place | null = null;
  for (const [index, raw] of lines.entries()) {
    const text = plainLine(raw);
    if (/^-{3,80} +-{3,80}(?: |$)/.test(text) && /^Package +Version(?: |$)/.test(plainLine(lines[index - 1]))) {
      open = { tool: 'pip list', firstLine: index, lastLine: index + 1, packages: [], isRequirements: false };
      places.push(open);
      continue;
    }
    const [, name, version] = /^([A-Za-z0-9][\w.-]{0,100}) +(\d\S{0,80})(?: |$)/.exec(text) ?? [];
    if (open && name && version) {
      open.packages.push({ name, version, line: index + 1 });
      open.lastLine = index + 1;
    } else open = null;
  }
  return places;
}

function freezes(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  let open: Place | null = null;
  let isRequirements = false;
  for (const [index, raw] of lines.entries()) {
    const text = plainLine(raw);
    const [, name, version] = /^([A-Za-z0-9][\w.-]{0,100})==([^\s;=]{1,80})$/.exec(text) ?? [];
    if (name && version) {
      if (!open) {
        open = { tool: 'pip freeze', firstLine: index + 1, lastLine: index + 1, packages: [], isRequirements };
        places.push(open);
      }
      open.packages.push({ name, version, line: index + 1 });
      open.lastLine = index + 1;
      continue;
    }
    isRequirements = /^[\w.[\]-]{1,100} ?(?:[<>~!]=?|==.{0,100};|===)/.test(text);
    if (open && isRequirements) open.isRequirements = true;
    else if (!/^(?:[\w.-]{1,100} @ |-e |# Editable )/.test(text)) open = null;
  }
  return places.filter(({ packages, isRequirements }) => packages.length >= FEWEST && !isRequirements);
}

function readingOf({ tool, firstLine, lastLine, packages }: Place): ToolReading | null {
  if (!packages.some(({ name }) => packageFact(name) !== undefined)) return null;
  return { tool, firstLine, lastLine, ...packageFacts(packages) };
}

import type { Importer } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { cutAt, isDashes, spansOf, type Spans } from './dashed-table.js';
import { NcuLaunches, ncuReading, type NcuLaunch } from './ncu-launches.js';

/** What ncu prints without --csv: for each kernel the tables of its sections, or of --page raw one without a section. */
export const ncuText: Importer = {
  tool: 'ncu-text',
  what: 'ncu (details page as text)',
  partsThousands: true,
  recognizes: (text) => launchesOf(text).launches.length > 0,
  read: (text) => ncuReading('ncu-text', launchesOf(text), text),
};

const context = /, Context \d{1,9}, Stream \d{1,9}(?:, Device (\d{1,6}))?(?:, CC (\d{1,2}\.\d))?\s{0,8}$/;
const shapeOf = /\s(\(\d{1,10}, \d{1,10}, \d{1,10}\)x\(\d{1,10}, \d{1,10}, \d{1,10}\))$/;
const timeOf = /, \d{4}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

interface Open {
  /** Named, but not in the list before a table follows. */
  named: NcuLaunch | null;
  launch: NcuLaunch | null;
  spans: Spans | null;
}

/** A kernel is named on a line of its own, tables of three columns follow. Text of rules between them names no metric. */
function launchesOf(text: string): NcuLaunches {
  const found = new NcuLaunches();
  if (!/, Context \d{1,9}, Stream \d/.test(text)) return found;
  const streams = new Map<string | null, Open>();
  for (const { number, text: line, label } of labeledLines(text)) {
    let open = streams.get(label);
    if (!open) streams.set(label, (open = { named: null, launch: null, spans: null }));
    const named = line.includes(', Context ') ? launchIn(line, number) : null;
    if (named) Object.assign(open, { named, launch: null, spans: null });
    else if (isDashes(line)) {
      const spans = spansOf(line);
      open.spans = spans.length === 3 ? spans : null;
      if (open.spans && open.named) {
        open.launch = open.named;
        found.launches.push(open.named);
        open.named = null;
      }
    } else if (open.launch && open.spans && line.trim() !== '') {
      const [name = '', unit = '', cell = ''] = cutAt(line, open.spans);
      if (name !== '' && name !== 'Metric Name') found.add(open.launch, { line: number, name, unit, cell });
    }
  }
  return found;
}

function launchIn(line: string, number: number): NcuLaunch | null {
  const at = line.lastIndexOf(', Context ');
  const tail = context.exec(line.slice(at));
  if (!tail) return null;
  const whole = line.slice(0, at).trim().replace(timeOf, '');
  const shape = shapeOf.exec(whole)?.[1] ?? '';
  const kernel = whole.slice(0, whole.length - shape.length).trim();
  if (kernel === '') return null;
  return { line: number, kernel, shape, device: tail[1] ?? null, capability: tail[2] ?? null, values: [] };
}

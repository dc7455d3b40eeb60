import { unitsOf } from '../domain/comparison/read-arm.js';
import { withoutPaste } from '../domain/importers/pasted.js';
import { readContent } from '../domain/importers/index.js';
import { unknownTable } from '../domain/importers/mapped/index.js';
import { prepare } from '../domain/importers/prepare.js';
import { catalogLists } from './catalog-lists.js';
import { CommandError, exit } from './command-error.js';
import { MOST_BYTES, readInputs, refusedWhereUnread } from './input-files.js';

/** Prints what the columns of a table may mean, as `--mapping` takes it; what is open goes to the other output. */
export async function suggestMapping(path: string): Promise<void> {
  const [file, ...others] = await refusedWhereUnread(() => readInputs([path]));
  if (!file || others.length > 0) throw new CommandError(exit.REFUSED, `${path} is a folder: name one file`);
  const prepared = prepare(file.text, MOST_BYTES);
  if ('problem' in prepared) throw new CommandError(exit.REFUSED, `${path}: ${prepared.problem.message.en}`);
  const { format, reading } = readContent(file.text, undefined, MOST_BYTES);
  if (format !== null)
    throw new CommandError(exit.REFUSED, `${path} is read as ${format}, so that it needs no mapping`);
  const { metrics } = await catalogLists();
  const found = unknownTable(withoutPaste(prepared.text), unitsOf(metrics));
  if (!found?.table) {
    const [problem] = found?.problems ?? reading.problems;
    throw new CommandError(exit.REFUSED, `${path} holds no table: ${problem?.message.en ?? 'nothing was found'}`);
  }
  const { suggestion } = found.table;
  for (const { code, message } of found.problems)
    if (code !== 'MAPPING_NEEDED') console.error(`warning: ${message.en}`);
  if (suggestion.columns.every(({ role }) => role === 'IGNORED'))
    console.error('warning: No column looks like a metric: give each one its role');
  console.log(JSON.stringify(suggestion, null, 2));
}

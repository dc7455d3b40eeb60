import { describe, expect, it } from '@jest/globals';
import { pipedTables } from './piped-table.js';

describe('tables between bars', () => {
  it('are read from Markdown, with the lines of their rows', () => {
    const text =
      'Results\n\n| model | test | t/s |\n| --- | ---: | ---: |\n| a | pp512 | 1.5 ± 0.1 |\n| b | tg128 | 2 |\n\n| x | y |\n';
    expect(pipedTables(text, (cells) => cells.includes('t/s'))).toEqual([
      {
        line: 3,
        columns: ['model', 'test', 't/s'],
        rows: [
          { line: 5, cells: ['a', 'pp512', '1.5 ± 0.1'] },
          { line: 6, cells: ['b', 'tg128', '2'] },
        ],
      },
    ]);
  });

  it('are read from drawn boxes, where names go on in the next line', () => {
    const text = [
      '┏━━━━━━━━━━━┳━━━━━━┓',
      '┃ Statistic ┃  avg ┃',
      '┡━━━━━━━━━━━╇━━━━━━┩',
      '│   Time To │ 12.5 │',
      '│     First │      │',
      '│ Token(ms) │      │',
      '│   Another │  7   │',
      '└───────────┴──────┘',
    ].join('\n');
    const [table] = pipedTables(text, ([first]) => first === 'Statistic', 'JOINED');
    expect(table?.rows).toEqual([
      { line: 4, cells: ['Time To First Token(ms)', '12.5'] },
      { line: 7, cells: ['Another', '7'] },
    ]);
  });
});

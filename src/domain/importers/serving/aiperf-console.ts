import type { Importer } from '../importer.js';
import { readTables } from './profile-console.js';

const title = /NVIDIA AIPerf \| [A-Z]/;

/** The table that AIPerf prints after each profile. */
export const aiperfConsole: Importer = {
  tool: 'aiperf-console',
  what: 'aiperf profile (console)',
  recognizes: (text) => title.test(text) && /[|┃│]\s{0,100}Metric\s{0,40}[|┃│]/.test(text),
  read: (text) => readTables(text, 'aiperf', title),
};

import type { Importer } from '../importer.js';
import { readTables } from './profile-console.js';

const title = /NVIDIA GenAI-Perf \| [A-Z]/;

/** The table that GenAI-Perf prints after each profile. */
export const genaiPerfConsole: Importer = {
  tool: 'genai-perf-console',
  what: 'genai-perf profile (console)',
  recognizes: (text) => title.test(text) && /[|┃│]\s{0,100}Statistic\s{0,40}[|┃│]/.test(text),
  read: (text) => readTables(text, 'genai-perf', title),
};

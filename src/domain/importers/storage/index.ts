import type { Importer } from '../importer.js';
import { fioJson } from './fio-json.js';
import { fioText } from './fio-text.js';

/** Benchmarks of storage. */
export const storageImporters: readonly Importer[] = [fioJson, fioText];

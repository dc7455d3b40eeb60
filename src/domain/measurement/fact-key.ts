/** The key of a workload fact as the registry names it, of one that somebody gave with or without the prefix. */
export function workloadKey(key: string): string {
  return key.startsWith('workload.') ? key : `workload.${key}`;
}

/** The key of an environment fact: `gpu.sku` for `environment.gpu.sku`, since the registry has no prefix for them. */
export function environmentKey(key: string): string {
  return key.replace(/^environment\./, '');
}

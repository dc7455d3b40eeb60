import type { Column } from './ticks.js';

/** What the monitors of a Linux host measure, whatever their columns are called. */
export const host = {
  cpuUser: { metric: 'host.cpu_user', unit: '%' },
  cpuSystem: { metric: 'host.cpu_system', unit: '%' },
  cpuIdle: { metric: 'host.cpu_idle', unit: '%' },
  cpuWait: { metric: 'host.cpu_iowait', unit: '%' },
  cpuSteal: { metric: 'host.cpu_steal', unit: '%' },
  softInterrupts: { metric: 'network.softirq_share', unit: '%' },
  runnable: { metric: 'host.runnable_processes', unit: 'count' },
  blocked: { metric: 'host.blocked_processes', unit: 'count' },
  contextSwitches: { metric: 'host.context_switches', unit: '1/s' },
  interrupts: { metric: 'host.interrupts', unit: '1/s' },
  diskRead: { metric: 'host.disk_read', unit: 'B/s' },
  diskWrite: { metric: 'host.disk_write', unit: 'B/s' },
  received: { metric: 'host.network_received', unit: 'B/s' },
  sent: { metric: 'host.network_sent', unit: 'B/s' },
  swapIn: { metric: 'host.swap_in', unit: 'B/s' },
  swapOut: { metric: 'host.swap_out', unit: 'B/s' },
  memoryUsed: { metric: 'host.memory_used', unit: 'B' },
  swapUsed: { metric: 'host.swap_used', unit: 'B' },
} as const satisfies Readonly<Record<string, Column>>;

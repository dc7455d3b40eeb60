/** What work of a device is for; `other` is none of which a share is kept. */
export type DeviceWork = 'compute' | 'communication' | 'input' | 'other';

/** Kernels of collective and point-to-point communication, by the libraries and engines that name them so. */
const communication =
  /nccl|rccl|hccl|hcom_|msccl|nvshmem|nixl|deep_?ep|mscclpp|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|sendrecv|send_recv|c10d::|cross_device_reduce|userbuffers/i;
/** Copies between processors: `Memcpy PtoP`, `[CUDA memcpy Peer-to-Peer]`. */
const peer = /p\s?to\s?p|peer/i;
/** Copies into the device: `Memcpy HtoD`, `[CUDA memcpy Host-to-Device]`, `CopyHostToDevice`. */
const toDevice = /h\s?to\s?d|h2d|host[- ]?to[- ]?device/i;
const toHost = /d\s?to\s?h|d2h|device[- ]?to[- ]?host/i;

/** What work of a device is for, by its name: communication, input for copies from the host, other for copies to it, else compute. */
export function deviceCategory(name: string): DeviceWork {
  if (peer.test(behind(/memcpy/i, name))) return 'communication';
  const copied = behind(/memcpy|copy/i, name);
  if (toDevice.test(copied)) return 'input';
  if (toHost.test(copied)) return 'other';
  return communication.test(name) ? 'communication' : 'compute';
}

/** What stands behind the first such word; nothing where there is none. Looks at each character a fixed number of times. */
function behind(word: RegExp, name: string): string {
  const found = word.exec(name);
  return found === null ? '' : name.slice(found.index + found[0].length);
}

import { findingOf, plainLine } from './fact-lines.js';
import type { FactReader, ReadingProblem, ToolReading } from './reader.js';

interface Port {
  state: string;
  /** As printed: InfiniBand, Ethernet; iWARP where the device says so. */
  layer: string;
  /** Gbit/s, null where it is not printed. */
  rate: number | null;
  /** Lanes, for the tool that prints the rate of one lane. */
  width: number;
  readonly line: number;
}

interface Device {
  readonly name: string;
  /** What tells it from the others: the name, with the port where every port has a head of its own. */
  readonly id: string;
  transport: string;
  readonly ports: Port[];
}

interface Place {
  readonly tool: Tool;
  readonly firstLine: number;
  lastLine: number;
  readonly devices: Device[];
  readonly ids: Set<string>;
  /** The devices that were asked for are not all of the machine. */
  readonly isSelection: boolean;
}

interface Tool {
  readonly name: string;
  /** The line that begins a device, with the device's name as `name`. */
  readonly head: RegExp;
  /** Lines below it that belong to the device. */
  readonly body: RegExp;
  /** The line that begins a port; null where the head does. */
  readonly port: RegExp | null;
  /** A command that asks for some devices only. */
  readonly selects: RegExp;
}

const pair = '(?:\\s|$)';
const tools: readonly Tool[] = [
  {
    name: 'ibstat',
    head: /^(?<transport>CA|Switch|Router|iWARP RNIC|\?\?\?):? '(?<name>[\w.-]{1,64})'$/,
    body: new RegExp(
      `^(?:(?:CA|iWARP RNIC) type|Number of ports|Firmware version|Hardware version|Node GUID|System image GUID|Port \\d{1,3}|State|Physical state|Rate|Base lid|LMC|SM lid|Capability mask|Port GUID|Link layer):${pair}`,
    ),
    port: /^Port \d{1,3}:$/,
    selects: /\bibstat\s+(?:-\w+\s+)*[a-z]\w*_?\d/,
  },
  {
    name: 'ibstatus',
    head: /^Infiniband device '(?<name>[\w.-]{1,64})' port (?<number>\d{1,3}) status:$/,
    body: new RegExp(`^(?:default gid|base lid|sm lid|state|phys state|rate|link_layer):${pair}`),
    port: null,
    selects: /\bibstatus\s+[a-z]\w*_?\d/,
  },
  {
    name: 'ibv_devinfo',
    head: /^hca_id:\s*(?<name>[\w.-]{1,64})$/,
    body: /^[\w[\] ]{1,40}:(?:\s|$)|^[\w :-]{1,60}$/,
    port: /^port:\s*\d{1,3}$/,
    selects: /\bibv_devinfo\s.{0,40}(?:-d|--ib-dev|-i\s|--ib-port)/,
  },
];

/** InfiniBand and RoCE ports that are up, as `ibstat`, `ibstatus`, `ibv_devinfo` and `rdma link` print them. */
export const ibstat: FactReader = {
  tools: ['ibstat', 'ibstatus', 'ibv_devinfo', 'rdma link'],
  read({ lines }) {
    const readings = [...placesOf(lines), ...rdmaLinks(lines)].map(readingOf);
    return readings.sort((left, right) => left.firstLine - right.firstLine);
  },
};

function placesOf(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  let open: Place | null = null;
  for (const [index, raw] of lines.entries()) {
    const text = plainLine(raw);
    const line = index + 1;
    const found = headOf(text);
    if (found) {
      if (!open || open.tool !== found.tool || open.ids.has(found.device.id)) {
        open = newPlace(found.tool, line, isSelected(lines, index, found.tool));
        places.push(open);
      }
      if (!found.tool.port) found.device.ports.push(newPort(line));
      add(open, found.device, line);
    } else if (open?.tool.body.test(text)) {
      take(open, text, line);
      open.lastLine = line;
    } else if (text !== '' && !/^ib(?:warn|panic|error)/.test(text)) open = null;
  }
  return places;
}

function headOf(text: string): { readonly tool: Tool; readonly device: Device } | null {
  for (const tool of tools) {
    const { name, number, transport } = tool.head.exec(text)?.groups ?? {};
    if (name) return { tool, device: { name, id: `${name}/${number ?? ''}`, transport: transport ?? '', ports: [] } };
  }
  return null;
}

function newPlace(tool: Tool, line: number, isSelection: boolean): Place {
  return { tool, firstLine: line, lastLine: line, devices: [], ids: new Set(), isSelection };
}

function add(place: Place, device: Device, line: number): void {
  place.devices.push(device);
  place.ids.add(device.id);
  place.lastLine = line;
}

/** One device or port was asked for, or whoever pasted it left out those above. */
function isSelected(lines: readonly string[], index: number, { selects }: Tool): boolean {
  const isOnePort = /^(?:CA|Switch|Router|iWARP RNIC): '/.test(plainLine(lines[index]));
  const above = [lines[index - 1], lines[index - 2]].map((line) => plainLine(line).slice(-200));
  return isOnePort || above.some((line) => line === '...' || selects.test(line));
}

const newPort = (line: number): Port => ({ state: '', layer: '', rate: null, width: 1, line });

function take(place: Place, text: string, line: number): void {
  const device = place.devices.at(-1);
  if (place.tool.port?.test(text)) device?.ports.push(newPort(line));
  const port = device?.ports.at(-1);
  const colon = text.indexOf(':');
  const key = text.slice(0, colon).toLowerCase().replace(' ', '_');
  const value = text.slice(colon + 1).trim();
  if (device && key === 'transport') device.transport = value;
  if (!port || colon < 0) return;
  if (key === 'state') port.state = value;
  if (key === 'link_layer') port.layer = value;
  if (key === 'rate') port.rate = leadingNumber(value);
  if (key === 'active_width') port.width = leadingNumber(value) ?? NaN;
  if (key === 'active_speed') port.rate = leadingNumber(value);
}

function leadingNumber(value: string): number | null {
  const digits = /^\d{1,5}(?:\.\d{1,4})?/.exec(value)?.[0];
  return digits === undefined ? null : Number(digits);
}

/** Drivers whose devices are RoCE where they are not InfiniBand; others may be iWARP or something of their own. */
const roceDrivers = /^(?:mlx[45]_|bnxt_re|roce|hns_|ionic_|xeth)/;

/** `rdma link` prints no link layer, but a subnet only where it is InfiniBand. */
function rdmaLinks(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  for (const [index, raw] of lines.entries()) {
    const found = /^(?:link |\d{1,4}\/\d{1,4}: )([\w.-]{1,64})\/\d{1,4}:? (.{0,200}?)state (\w{1,20}) physical_state /.exec(plainLine(raw)); // prettier-ignore
    if (!found) continue;
    const [, name = '', between = '', state = ''] = found;
    const line = index + 1;
    const layer = between.includes('lid ') ? 'InfiniBand' : roceDrivers.test(name) ? 'Ethernet' : '';
    const device = { name, id: found[0], transport: '', ports: [{ ...newPort(line), state, layer }] };
    let open = places.at(-1);
    if (!open || open.lastLine !== line - 1 || open.ids.has(device.id)) {
      open = newPlace(rdmaLink, line, /\brdma link show [a-z]/.test((lines[index - 1] ?? '').slice(-200)));
      places.push(open);
    }
    add(open, device, line);
  }
  return places;
}

const rdmaLink: Tool = { name: 'rdma link', head: /$^/, body: /$^/, port: null, selects: /$^/ };

type Kind = 'infiniband' | 'roce' | 'ethernet';

function kindOf({ name, transport }: Device, { layer }: Port): Kind | null {
  // Soft-RoCE and soft-iWARP run on any network interface and say nothing about the fabric.
  if (/^(?:rxe|siw)/.test(name)) return null;
  if (/^(?:InfiniBand|IB)$/i.test(layer)) return 'infiniband';
  if (!/^Ethernet$/i.test(layer)) return null;
  return transport.startsWith('iWARP') ? 'ethernet' : 'roce';
}

const isActive = ({ state }: Port): boolean => /^(?:\d: ?)?(?:PORT_)?ACTIVE(?: \(\d\))?$/i.test(state);

function readingOf({ tool, firstLine, lastLine, devices, isSelection }: Place): ToolReading {
  const reading = { tool: tool.name, firstLine, lastLine };
  const all = devices.flatMap((device) => device.ports.map((port) => ({ port, kind: kindOf(device, port) })));
  const active = all.filter(({ port, kind }) => kind !== null && isActive(port));
  // Ethernet ports beside InfiniBand are for management and storage.
  const kind = (['infiniband', 'roce', 'ethernet'] as const).find((each) => active.some((port) => port.kind === each));
  if (!kind) return { ...reading, findings: [], problems: [nothingActive(firstLine)] };
  const ports = active.filter((each) => each.kind === kind).map(({ port }) => port);
  const rates = ports.flatMap(({ rate, width }) => (rate === null || !(rate * width > 0) ? [] : rate * width));
  const distinct = new Set(rates);
  const line = ports[0]?.line;
  return {
    ...reading,
    findings: [
      ...findingOf('fabric.kind', [kind], line),
      ...(line === undefined ? [] : [{ key: 'fabric.rdma', value: true, line }]),
      ...findingOf('fabric.link_rate', rates, line),
      ...(isSelection ? [] : findingOf('nic.count', [ports.length], line)),
    ],
    problems: distinct.size > 1 ? [differentRates(line ?? firstLine, [...distinct])] : [],
  };
}

function nothingActive(line: number): ReadingProblem {
  return {
    line,
    message: {
      en: 'No InfiniBand or RoCE port here is active',
      zh: '这里没有处于 Active 状态的 InfiniBand 或 RoCE 端口',
    },
  };
}

function differentRates(line: number, rates: readonly number[]): ReadingProblem {
  return {
    line,
    message: {
      en: `Active ports have ${rates.length} rates here: ${rates.join(', ')} Gbit/s. Some may not belong to the fabric of the GPUs`,
      zh: `活动端口有 ${rates.length} 种速率：${rates.join('、')} Gbit/s，其中可能有不用于 GPU 互连的端口`,
    },
  };
}

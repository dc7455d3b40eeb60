import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { z } from 'zod';

/** The codes by which the protocol graphql-transport-ws closes a connection. */
const CLOSE = { invalidMessage: 4400, alreadyExists: 4409, tooManyInits: 4429 } as const;

const kindShape = z.looseObject({ type: z.string() });
/** The names of the protocol, and those of the one before it. */
const begins: ReadonlySet<string> = new Set(['subscribe', 'start']);
const ends: ReadonlySet<string> = new Set(['complete', 'stop']);

const messageShape = z.looseObject({
  type: z.string(),
  id: z.string().min(1).optional(),
  payload: z
    .looseObject({
      operationName: z.string().nullish().catch(null),
      variables: z.record(z.string(), z.unknown()).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
type Message = z.output<typeof messageShape>;

/** One subscription, from the message that begins it until either side says that it is complete. */
export class Operation {
  private events: AsyncIterator<unknown> | null = null;
  private isOver = false;

  constructor(
    /** The id that the client gave it. */
    readonly id: string,
    readonly name: string | null,
    readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  /** The events that it is answered by: they end with it, at once where it is over. */
  answeredBy<T extends AsyncIterator<unknown>>(events: T): T {
    this.events = events;
    if (this.isOver) void events.return?.();
    return events;
  }

  end(): void {
    this.isOver = true;
    void this.events?.return?.();
  }
}

/**
 * A connection as the library sees it. The library lets a subscription run on that is completed before its events begin,
 * and confuses two that have one id after the other. So it knows each by a name that is given once; what a client has
 * completed is ended here and says nothing more; an id that is in use closes the connection, as the protocol says.
 */
export class Operations extends EventEmitter {
  private readonly byName = new Map<string, Operation>();
  private readonly nameOf = new Map<string, string>();
  private count = 0;
  private isInitialized = false;

  constructor(private readonly socket: WebSocket) {
    super();
    socket.on('message', (data: Buffer) => this.hear(data.toString()));
    socket.on('error', (error) => {
      // A connection that the library has refused has no listener any more
      if (this.listenerCount('error') > 0) this.emit('error', error);
    });
    socket.on('close', (code, reason) => {
      for (const name of [...this.byName.keys()]) this.end(name);
      this.emit('close', code, reason);
    });
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  get readyState(): number {
    return this.socket.readyState;
  }

  close(code?: number, reason?: string): void {
    this.socket.close(code, reason);
  }

  /** Says something to the client, unless it is of a subscription that is over. */
  send(text: string, sent: (error?: Error) => void): void {
    const [start = '', type, name] = /^\{"type":"(\w+)","id":"(\d+)"/.exec(text) ?? [];
    if (type === undefined || name === undefined) return this.socket.send(text, sent);
    const operation = this.byName.get(name);
    if (operation === undefined) return sent();
    if (type === 'complete' || type === 'error') this.end(name);
    this.socket.send(`{"type":"${type}","id":${JSON.stringify(operation.id)}${text.slice(start.length)}`, sent);
  }

  /** A subscription that runs, by the name that the library has for it. */
  get(name: string): Operation | null {
    return this.byName.get(name) ?? null;
  }

  private hear(text: string): void {
    const parsed = parsedJson(text);
    const type = kindShape.safeParse(parsed).data?.type ?? '';
    if (begins.has(type) || ends.has(type)) {
      const message = messageShape.safeParse(parsed).data;
      if (message?.id === undefined) return this.close(CLOSE.invalidMessage, 'Invalid message: id must be a text');
      if (ends.has(type)) return this.complete(message.id, type);
      if (typeof message.payload?.['query'] === 'string') return this.begin(message.id, message);
      return this.close(CLOSE.invalidMessage, 'Invalid message: payload.query must be a text');
    }
    if (type === 'connection_init') {
      if (this.isInitialized) return this.close(CLOSE.tooManyInits, 'Too many initialisation requests');
      this.isInitialized = true;
    }
    this.emit('message', text, false);
  }

  private begin(id: string, message: Message): void {
    if (this.nameOf.has(id)) return this.close(CLOSE.alreadyExists, alreadyExists(id));
    const name = String((this.count += 1));
    const { operationName, variables } = message.payload ?? {};
    this.nameOf.set(id, name);
    this.byName.set(name, new Operation(id, operationName ?? null, variables ?? {}));
    this.emit('message', JSON.stringify({ ...message, id: name }), false);
  }

  private complete(id: string, type: string): void {
    const name = this.nameOf.get(id);
    if (name === undefined) return;
    this.end(name);
    this.emit('message', JSON.stringify({ type, id: name }), false);
  }

  private end(name: string): void {
    const operation = this.byName.get(name);
    if (operation === undefined) return;
    operation.end();
    this.byName.delete(name);
    this.nameOf.delete(operation.id);
  }
}

/** A hook on routes: the library gets each connection as one whose subscriptions are kept in order. */
export function keepOperations(route: object): void {
  const handle: unknown = Reflect.get(route, 'wsHandler');
  if (typeof handle !== 'function') return;
  Reflect.set(route, 'wsHandler', function (this: unknown, socket: WebSocket, ...rest: unknown[]): unknown {
    return Reflect.apply(handle, this, [new Operations(socket), ...rest]) as unknown;
  });
}

/** The connection that the library was given. */
export function operationsOf(socket: unknown): Operations {
  if (socket instanceof Operations) return socket;
  throw new Error('The route of subscriptions was made without keepOperations');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The library answers what is no JSON
    return null;
  }
}

/** A reason for closing holds 123 bytes. */
function alreadyExists(id: string): string {
  return /^[\x20-\x7e]{1,90}$/.test(id) ? `Subscriber for ${id} already exists` : 'Subscriber already exists';
}

import { changeEvents, compileValidator, executionEvents } from '@sluice/contract';
import { ownerKey, type TestApi } from './test-api.ts';

export interface ReceivedEvent {
  event: keyof typeof eventSchemas;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely; their shape is validated against the contract
  data: any;
}

export interface Following {
  response: Response;
  events: ReceivedEvent[];
  /** Resolves when the server has ended the stream; rejects if it breaks. */
  ended: Promise<void>;
  stop(): void;
}

const eventSchemas = { ...executionEvents, ...changeEvents };
const validators = new Map(Object.entries(eventSchemas).map(([event, schema]) => [event, compileValidator(schema)]));

interface FollowOptions {
  key?: string;
  lastEventId?: string;
}

/** Opens `GET /executions/:id/events`. */
export function follow(api: TestApi, id: string, options?: FollowOptions): Promise<Following> {
  return followPath(api, `/executions/${id}/events`, options);
}

/** Opens an event stream and collects its events. Fails for events that are not in the contract. */
export async function followPath(api: TestApi, path: string, options: FollowOptions = {}): Promise<Following> {
  const { key = ownerKey, lastEventId } = options;
  const disconnected = new AbortController();
  const response = await fetch(`${api.url}/api/v1${path}`, {
    headers: { 'x-service-api-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: disconnected.signal,
  });
  const events: ReceivedEvent[] = [];
  const ended = collect(response, events);
  ended.catch(() => undefined);
  return { response, events, ended, stop: () => disconnected.abort() };
}

async function collect(response: Response, events: ReceivedEvent[]): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    const blocks = `${text}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
    text = blocks.pop() ?? '';
    events.push(...blocks.filter((block) => !block.startsWith(':')).map(parse));
  }
}

function parse(block: string): ReceivedEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const data = JSON.parse(fields['data'] ?? '');
  const validate = validators.get(fields['event'] ?? '');
  if (!validate) throw new Error(`the contract does not know the event ${fields['event']}`);
  validate(structuredClone(data));
  const event = fields['event'] as ReceivedEvent['event'];
  return fields['id'] === undefined ? { event, data } : { event, id: fields['id'], data };
}

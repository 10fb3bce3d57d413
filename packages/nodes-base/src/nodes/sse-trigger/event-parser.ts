export interface SseEvent {
  /** `message` by default. */
  type: string;
  data: string;
  /** ID of this event or of the last earlier event with an ID; empty if there is no such event. */
  lastEventId: string;
}

/**
 * Parses a stream of server-sent events, per the HTML standard ("9.2.6 Interpreting an event
 * stream"). Buffers at most one event, of size `pendingLength`.
 */
export class SseParser {
  /** Delay before a reconnect that the server requests, in milliseconds. */
  retryMs: number | undefined;
  #lastEventId: string;
  #type = '';
  #data: string[] = [];
  #dataLength = 0;
  #rest = '';

  constructor(lastEventId: string) {
    this.#lastEventId = lastEventId;
  }

  /** Number of characters in the incomplete event and line. */
  get pendingLength(): number {
    return this.#rest.length + this.#dataLength;
  }

  /** The events that a chunk of the stream completes. */
  *feed(piece: string): Generator<SseEvent> {
    const text = this.#rest + piece;
    if (!/[\r\n]/.test(piece) && !this.#rest.endsWith('\r')) {
      this.#rest = text;
      return;
    }
    // A line may end with two characters, and the second may not have arrived.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = complete.split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(complete.length);
    for (const line of lines) {
      const event = this.#takeLine(line);
      if (event) yield event;
    }
  }

  #takeLine(line: string): SseEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    this.#takeField(field, value);
    return undefined;
  }

  #takeField(field: string, value: string): void {
    if (field === 'event') this.#type = value;
    else if (field === 'id' && !value.includes('\0')) this.#lastEventId = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    else if (field === 'data') {
      this.#data.push(value);
      this.#dataLength += value.length + 1;
    }
  }

  #dispatch(): SseEvent | undefined {
    const [type, data] = [this.#type || 'message', this.#data];
    [this.#type, this.#data, this.#dataLength] = ['', [], 0];
    return data.length === 0 ? undefined : { type, data: data.join('\n'), lastEventId: this.#lastEventId };
  }
}

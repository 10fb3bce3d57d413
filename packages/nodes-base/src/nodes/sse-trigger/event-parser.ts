export interface SseEvent {
  /** `message`, unless the server says. */
  type: string;
  data: string;
  /** Of this event, or of the last one before it that had an id; empty: none had. */
  lastEventId: string;
}

/**
 * Takes a stream of server-sent events apart, as the HTML standard has it ("9.2.6 Interpreting an event stream"). Keeps no more than one event, whose
 * size `pendingLength` tells.
 */
export class SseParser {
  /** Milliseconds that the server wants to be left alone for before the next connection. */
  retryMs: number | undefined;
  #lastEventId: string;
  #type = '';
  #data: string[] = [];
  #dataLength = 0;
  #rest = '';

  constructor(lastEventId: string) {
    this.#lastEventId = lastEventId;
  }

  /** Characters of the event, and of the line, that are not complete. */
  get pendingLength(): number {
    return this.#rest.length + this.#dataLength;
  }

  /** The events that a piece of the stream completes. */
  *feed(piece: string): Generator<SseEvent> {
    const text = this.#rest + piece;
    if (!/[\r\n]/.test(piece) && !this.#rest.endsWith('\r')) {
      this.#rest = text;
      return;
    }
    // A line may end with two characters, of which the second is still to come.
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

import type { BinaryReference } from './item.ts';
import type { JsonValue } from './json.ts';
import type { NodeRun } from './node-run.ts';

/** A credential that each call has to match. */
export interface CallAuthentication {
  type: 'httpBasicAuth' | 'httpHeaderAuth' | 'jwtAuth' | 'webhookSignature';
  credentialId: string;
}

/** Starts an execution at each HTTP call of its path. */
export interface WebhookTrigger {
  kind: 'webhook';
  /** Upper case, in the order of the node's outputs. */
  methods: readonly string[];
  /** Segments joined by `/`; one that begins with `:` stands for any text, and gives it that name. */
  path: string;
  authentication?: CallAuthentication;
  /** Addresses and networks that calls may come from; absent: all. */
  allowedAddresses?: readonly string[];
  /** Calls of programs that look at links (previews, crawlers) do not count. */
  ignoresBots?: boolean;
  /** Origins whose pages may read the answer; absent: all. */
  allowedOrigins?: readonly string[];
  files: WebhookFiles;
  response: WebhookResponse;
  /** Of a webhook that the description of the node's type names: that name, and whether the type itself handles the calls. */
  described?: { name: string; handled: boolean };
}

/** What becomes of the files that calls bring. */
export interface WebhookFiles {
  /** `all`: files of forms, and bodies that are neither JSON, form nor text; `body`: the body as it came, whatever it is; `none`: left out. */
  take: 'all' | 'body' | 'none';
  /** Name of the item's file; of several, its beginning. Absent: `data`, and for files of forms the name of the field. */
  property?: string;
}

/** Of an answer, by their names; several values go out as headers of one name each. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What calls are answered, and when. */
export interface WebhookResponse {
  /**
   * `onReceived`: once the execution is there; `lastNode`: with what the last node gave; `responseNode`: when a node says so; `streaming`: with the
   * chunks that nodes send, while the execution runs.
   */
  mode: 'onReceived' | 'lastNode' | 'responseNode' | 'streaming';
  status: number;
  headers: AnswerHeaders;
  /** Of `onReceived`: text in place of a message. */
  body?: string;
  /** Of `onReceived`. */
  withoutBody?: boolean;
  /** Of `lastNode`: which of its items. */
  data: 'allEntries' | 'firstEntryJson' | 'firstEntryBinary' | 'noData';
  /** Dotted path into the first item's JSON: that value alone. */
  property?: string;
  /** Content type of that value. */
  contentType?: string;
  /** Which file of the first item; default `data`. */
  binaryProperty?: string;
}

/** An answer that a workflow gives to a call, or to who has sent a form: see `answerSlot`. */
export interface WebhookAnswer {
  status: number;
  headers: AnswerHeaders;
  body: WebhookBody;
  /** It is what a form ends with. */
  endsForm?: true;
}

/**
 * What the signals of an execution tell those who wait for its answer, where that is small: the same as Postgres has. `lastRun`: it has ended well, and its
 * last node gave this.
 */
export type CallNews = { answer: WebhookAnswer } | { lastRun: NodeRun };

/** Of such news, in characters of JSON: all processes get them. */
export const maxCallNews = 16 * 1024;

/** A part of an answer that a node gives while the execution goes on: of each run of it a `begin`, any number of `item`, and an `end` or an `error`. */
export interface NodeChunk {
  type: 'begin' | 'item' | 'end' | 'error';
  content?: JsonValue;
  /** The item that it is about; 0 where it is about none. */
  itemIndex: number;
}

/** The same as callers get it: a line of JSON each. */
export interface AnswerChunk {
  type: NodeChunk['type'];
  content?: JsonValue;
  metadata: {
    nodeId: string;
    nodeName: string;
    itemIndex: number;
    runIndex: number;
    /** Milliseconds since the epoch. */
    timestamp: number;
  };
}

/** A file is one that the execution may read. */
export type WebhookBody =
  | { kind: 'none' }
  | { kind: 'json'; json: JsonValue }
  | { kind: 'text'; text: string }
  /** A page that is shown as our own forms are; `message` is HTML, `file` is there to be downloaded. */
  | { kind: 'page'; title: string; message: string; css?: string; file?: BinaryReference }
  | { kind: 'file'; file: BinaryReference };

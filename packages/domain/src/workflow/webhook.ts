import type { JsonValue } from '../json/json.ts';
import type { McpServerInfo } from '../mcp.ts';
import type { BinaryReference } from './item.ts';
import type { NodeRun } from './node-run.ts';

/** A credential that each request must match. */
export interface RequestAuthentication {
  type: 'httpBasicAuth' | 'httpBearerAuth' | 'httpHeaderAuth' | 'jwtAuth' | 'webhookSignature';
  credentialId: string;
}

/** Starts an execution for each HTTP request to its path. */
export interface WebhookTrigger {
  kind: 'webhook';
  /** Upper case, in the order of the node's outputs. */
  methods: readonly string[];
  /**
   * Segments joined by `/`; a segment that begins with `:` is a parameter with that name and
   * matches any text.
   */
  path: string;
  authentication?: RequestAuthentication;
  /** Addresses and networks that requests may come from; absent: all. */
  allowedAddresses?: readonly string[];
  /** Whether requests from link previewers and crawlers are ignored. */
  ignoresBots?: boolean;
  /** Origins whose pages may read the response; absent: any. */
  allowedOrigins?: readonly string[];
  files: WebhookFiles;
  response: WebhookResponseSpec;
  /** Whether the node runs with the request's item; absent: the item is its output. */
  runsNode?: true;
  /** The node responds to JSON bodies with this `action`, as with the mode `responseNode`. */
  respondsToAction?: string;
  /** Requests are messages of MCP clients: only those about tools start an execution. */
  mcp?: McpServerInfo;
  /**
   * The older transport of MCP. `events`: requests open a stream, and start nothing. `messages`:
   * responses go into the stream that the request names. Absent: streamable HTTP.
   */
  mcpTransport?: 'events' | 'messages';
  /** Requests get this page and start nothing. */
  page?: ChatPage;
  /**
   * For a webhook that the node type's description defines: its name, and whether the type itself
   * handles the requests.
   */
  described?: { name: string; handled: boolean };
}

/** A chat page, which posts messages to its own address. All members are text, not markup. */
export interface ChatPage {
  title: string;
  subtitle: string;
  /** Messages with which the chat begins. */
  greetings: readonly string[];
  placeholder: string;
  /** Whether the page requests the earlier messages of its session. */
  loadsSession: boolean;
  /** Text of the button that opens the chat; absent: it is open at once. */
  start?: string;
  /** File types that users may send, as in `<input accept>`; absent: no files. */
  accept?: string;
  /** Style sheet of the author. */
  css?: string;
}

/** How files of requests are handled. */
export interface WebhookFiles {
  /**
   * `all`: uploaded files, and bodies that are neither JSON, form, nor text; `body`: the raw body
   * of any type; `none`: ignored.
   */
  take: 'all' | 'body' | 'none';
  /**
   * Name of the item's file, or the prefix for several. Absent: `data`, and for uploaded files the
   * field name.
   */
  property?: string;
}

/** Headers of a response by name; multiple values are sent as separate headers. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The response to requests, and when it is sent. */
export interface WebhookResponseSpec {
  /**
   * `onReceived`: once the execution is stored; `lastNode`: with the output of the last node;
   * `responseNode`: when a node responds; `streaming`: with the chunks that nodes send during the
   * execution.
   */
  mode: 'onReceived' | 'lastNode' | 'responseNode' | 'streaming';
  status: number;
  headers: ResponseHeaders;
  /** For `onReceived`: text in place of a message. */
  body?: string;
  /** For `onReceived`. */
  withoutBody?: boolean;
  /** For `lastNode`: which items to send. */
  data: 'allEntries' | 'firstEntryJson' | 'firstEntryBinary' | 'noData';
  /** Dotted path into the first item's JSON: sends that value only. */
  property?: string;
  /** Content type of that value. */
  contentType?: string;
  /** Which file of the first item to send; default `data`. */
  binaryProperty?: string;
}

/** A workflow's response to a request or a form submission: see `responseSlot`. */
export interface WebhookResponse {
  status: number;
  headers: ResponseHeaders;
  body: WebhookBody;
  /** Whether it is a form ending. */
  endsForm?: true;
}

/**
 * A small response, sent with the execution's notifications to callers that wait for it; identical
 * to the stored one. `lastRun`: the execution succeeded with this output of its last node.
 */
export type ResponseNotification = { response: WebhookResponse } | { lastRun: NodeRun };

/**
 * Maximum size of a response in a notification, in characters of JSON: all processes receive it.
 */
export const maxNotificationLength = 16 * 1024;

/**
 * A part of a response that a node sends during the execution: for each run of the node, one
 * `begin`, any number of `item`, and an `end` or an `error`.
 */
export interface NodeChunk {
  type: 'begin' | 'item' | 'end' | 'error';
  content?: JsonValue;
  /** Index of the item, or 0. */
  itemIndex: number;
  /** The execution waits: the next message of the client goes to this URL. */
  resumeUrl?: string;
}

/** A chunk as sent to callers: one line of JSON. */
export interface ResponseChunk {
  type: NodeChunk['type'];
  content?: JsonValue;
  metadata: {
    nodeId: string;
    nodeName: string;
    itemIndex: number;
    runIndex: number;
    /** Milliseconds since the epoch. */
    timestamp: number;
    /** See `NodeChunk`. */
    resumeUrl?: string;
  };
}

/** A file must be readable by the execution. */
export type WebhookBody =
  | { kind: 'none' }
  | { kind: 'json'; json: JsonValue }
  | { kind: 'text'; text: string }
  /** A small file that is not stored, such as an image in a webhook response. */
  | { kind: 'bytes'; base64: string }
  /** A page in the style of our forms; `message` is HTML, `file` is a download. */
  | { kind: 'page'; title: string; message: string; css?: string; file?: BinaryReference }
  | { kind: 'file'; file: BinaryReference };

/**
 * Whether a string can be a fixed segment in a webhook or form path: clients can send it, and no
 * proxy changes it. Clients remove `.` and `..` from a path, and half a surrogate pair cannot be
 * encoded.
 */
export function isPathSegment(text: string): boolean {
  return !/^\.{1,2}$/.test(text) && /^[^\s:?#\\/\p{Cc}\p{Cs}]{1,200}$/u.test(text);
}

/** Whether a string can be a segment of a webhook path: fixed, or a variable such as `:id`. */
export function isRouteSegment(text: string): boolean {
  return text.startsWith(':') ? /^:\w{1,200}$/.test(text) : isPathSegment(text);
}

import {
  type BinaryReference,
  type ExecuteContext,
  type HttpRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  NodeOperationError,
  type NodeProperty,
  usageIn,
} from '@sluice/node-sdk';
import {
  binaryOf,
  booleanParameter,
  numberParameter,
  type ParameterSource,
  parseJsonParameter,
  readDate,
  requiredText,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import {
  type ApiAccess,
  type ApiClient,
  type ApiRequest,
  type ApiResponse,
  accessOf,
  type DownloadedFile,
} from './api-client.ts';
import { FileItem } from './file-item.ts';
import type { UploadedContent } from './google-upload.ts';
import { asText, locatedValue, objectsOf } from './json-values.ts';
import { type Paging, sendAll, sendAllWhere } from './paging.ts';

/** Maximum number of members in a collection: no service has that many fields. */
const maxMembers = 1_000;

/** A service node's context: for a run, or for a poll. */
export type NodeContext = Parameters<typeof accessOf>[0] & Pick<ExecuteContext, 'workflow'>;

/**
 * A service node: its parameters and the service, for one item in a run, or for a poll, whose index
 * is 0.
 */
export class ServiceNode<C extends NodeContext = NodeContext> {
  readonly context: C;
  readonly index: number;
  readonly access: ApiAccess;
  protected readonly client: ApiClient;

  /** `listed`: see `ApiAccess`. */
  constructor(context: C, index: number, client: ApiClient, listed = { bytes: 0 }) {
    this.context = context;
    this.index = index;
    this.access = { ...accessOf(context, index), listed };
    this.client = client;
  }

  get version(): number {
    return this.context.typeVersion;
  }

  /** Text that may be empty. */
  text(path: string, fallback = ''): string {
    return textParameter(this.context, path, this.index, fallback);
  }

  /** Text that must not be empty. */
  required(path: string): string {
    return requiredText(this.context, path, this.index);
  }

  /** Text, or `undefined` if it is empty. */
  optional(path: string): string | undefined {
    return this.text(path) || undefined;
  }

  number(path: string, fallback: number): number {
    return numberParameter(this.context, path, this.index, fallback);
  }

  toggle(path: string, fallback = false): boolean {
    return booleanParameter(this.context, path, this.index, fallback);
  }

  /** A collection's members that are not empty. */
  fields(path: string): JsonObject {
    const value = this.context.parameter<JsonValue>(path, this.index, {});
    if (!isJsonObject(value)) return {};
    if (Object.keys(value).length > maxMembers) {
      const description = 'Remove the fields that are not part of the API';
      throw this.error(`the parameter "${path}" has more than ${maxMembers} fields`, description);
    }
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== '' && member !== null));
  }

  /**
   * Like `fields`, with the types of the properties: expressions often yield text for numbers and
   * booleans, and numbers for text.
   */
  typedFields(path: string, properties: readonly NodeProperty[]): JsonObject {
    const types = new Map(properties.map(({ name, type, acceptsAnyValue }) => [name, acceptsAnyValue ? undefined : type]));
    const typed = ([name, value]: [string, JsonValue]): [string, JsonValue] => {
      const type = types.get(name);
      if (type === 'number') return [name, this.number(`${path}.${name}`, 0)];
      if (type === 'boolean') return [name, this.toggle(`${path}.${name}`)];
      const isText = type === 'string' || type === 'options';
      return [name, isText && typeof value === 'number' ? asText(value) : value];
    };
    return Object.fromEntries(Object.entries(this.fields(path)).map(typed));
  }

  /** Objects in a list, as a fixed collection stores them; a single object is a list of one. */
  entries(path: string): JsonObject[] {
    return objectsOf(this.context.parameter<JsonValue>(path, this.index));
  }

  /**
   * A time, or `undefined` if it is empty. Text without an offset is in the workflow's time zone.
   */
  async time(path: string): Promise<Date | undefined> {
    const value = this.context.parameter<JsonValue>(path, this.index) ?? '';
    if (value === '') return undefined;
    const time = await this.readTime(value);
    if (time !== undefined) return new Date(time);
    throw this.error(`the parameter "${path}" is not a date`, 'Set it to a date such as 2026-01-31T12:00:00+01:00');
  }

  /**
   * A time in milliseconds since 1970, parsed like `time`; `undefined` if the value is not a time.
   */
  readTime(value: JsonValue): Promise<number | undefined> {
    return readDate(value, this.context.workflow.timezone);
  }

  /**
   * A time as UTC, such as `2026-01-31T11:00:00.000Z`, parsed like `time`. The error contains the
   * name.
   */
  async utcTime(name: string, value: JsonValue): Promise<string> {
    const time = await this.readTime(value);
    if (time !== undefined) return new Date(time).toISOString();
    throw this.error(`the value of "${name}" is not a date`, 'Set it to a date such as 2026-01-31T12:00:00+01:00');
  }

  /**
   * A time in seconds since 1970, given as a number or as a time that `time` reads; `undefined` if
   * empty.
   */
  async seconds(path: string): Promise<number | undefined> {
    const text = this.text(path).trim();
    if (/^\d{9,10}$/.test(text)) return Number(text);
    const time = await this.time(path);
    return time && Math.floor(time.getTime() / 1_000);
  }

  /** A JSON value, as text or already parsed; `undefined` if it is empty. */
  json(path: string): JsonValue | undefined {
    const value = this.context.parameter<JsonValue>(path, this.index) ?? '';
    if (value === '') return undefined;
    return typeof value === 'string' ? parseJsonParameter(path, value, this.index) : value;
  }

  /**
   * The ID from a resource locator or a string; must not be empty. `urls`: its first group matches
   * the ID in a locator of mode `url`.
   */
  id(path: string, urls?: RegExp): string {
    return locatedId(this.context, path, this.index, urls);
  }

  /** A resource locator's mode; `id` for plain text. */
  mode(path: string): string {
    const value = this.context.parameter<JsonValue>(path, this.index) ?? '';
    return isJsonObject(value) && typeof value['mode'] === 'string' ? value['mode'] : 'id';
  }

  error(message: string, description: string): NodeOperationError {
    return new NodeOperationError(message, { itemIndex: this.index, description });
  }

  /** Sends a request; resolves to the response body. */
  send(request: ApiRequest): Promise<JsonValue | undefined> {
    return this.client.send(this.access, request);
  }

  /** Sends a request whose response is ignored. */
  async perform(request: ApiRequest): Promise<JsonObject> {
    await this.send(request);
    return { success: true };
  }

  /** Like `send`, with status and headers. */
  exchange(request: ApiRequest): Promise<ApiResponse> {
    return this.client.exchange(this.access, request);
  }

  /** Sends a list request: all of it if `returnAll` is true, else `limit` elements. */
  list(request: ApiRequest, paging: Paging, limit = this.limit()): Promise<JsonObject[]> {
    return sendAll(this.client, this.access, request, paging, limit);
  }

  /** The elements of a whole list that `keep` accepts. */
  listWhere(request: ApiRequest, paging: Paging, keep: (element: JsonObject) => boolean): Promise<JsonObject[]> {
    return sendAllWhere(this.client, this.access, request, paging, keep);
  }

  /** Maximum number of elements in a list, from the usual parameters `returnAll` and `limit`. */
  limit(fallback = 50): number {
    if (this.toggle('returnAll')) return Number.POSITIVE_INFINITY;
    const limit = Math.trunc(this.number('limit', fallback));
    if (limit >= 1) return limit;
    throw this.error('the parameter "limit" must be 1 or more', 'Change its expression, or switch on "Return All"');
  }
}

/** One input item of a service node, including its files. */
export class ServiceItem extends ServiceNode<ExecuteContext> {
  /** A file of the item. */
  file(property: string): BinaryReference {
    return binaryOf(this.context, this.index, property);
  }

  /** Sends a request to a model; resolves to its answer. Counts toward the execution limits. */
  async ask(model: string, request: ApiRequest): Promise<JsonObject> {
    const send = async () => {
      const answer = await this.send(request);
      if (answer !== undefined && isJsonObject(answer)) return answer;
      throw this.error('the service response is not a JSON object', 'Check the base URL of the credential');
    };
    return this.context.modelCall?.({ model, usageOf: usageIn, send }) ?? send();
  }

  /** A file of the item, opened for an upload. */
  async content(property: string): Promise<UploadedContent & { fileName: string }> {
    const reference = this.file(property);
    const { mimeType, fileName = '', fileSize } = reference;
    return { mimeType, fileName, byteLength: fileSize, bytes: await this.context.binary.open(reference) };
  }

  /**
   * A file as the body of a request with a known length: a stream, or its bytes if the store does
   * not have the length.
   */
  async body(file: BinaryReference): Promise<{ body: NonNullable<HttpRequest['body']>; byteLength: number }> {
    const { binary } = this.context;
    const { fileSize: byteLength } = file;
    if (byteLength !== undefined) return { body: { open: () => binary.open(file), byteLength }, byteLength };
    const bytes = await binary.read(file);
    return { body: bytes, byteLength: bytes.length };
  }

  /**
   * Downloads a file; resolves to an item that has it in `property`. Throws if `property` is blank.
   */
  async download(request: ApiRequest, json: JsonObject, property: string, file: DownloadedFile = {}): Promise<FileItem> {
    if (property.trim() === '')
      throw this.error(
        'the property for the file has no name',
        'Name a property of the item that receives the file, such as data',
      );
    const reference = await this.client.download(this.access, request, this.context.binary, file);
    return new FileItem(json, { [property]: reference });
  }
}

/**
 * Like `ServiceNode#id`, for editor lists. Empty if the author has not selected an ID yet, or if
 * the URL is of another kind.
 */
export function chosenId(context: Pick<MethodContext, 'parameter'>, path: string, urls?: RegExp): string {
  const value = context.parameter<JsonValue>(path, '') ?? '';
  const id = locatedValue(value);
  const text = typeof id === 'string' || typeof id === 'number' ? asText(id).trim() : '';
  if (!isJsonObject(value) || value['mode'] !== 'url') return text;
  return urls?.exec(text.slice(0, 2_000))?.[1] ?? '';
}

/** See `ServiceNode#id`. */
export function locatedId(context: ParameterSource, path: string, itemIndex: number, urls?: RegExp): string {
  const value = context.parameter<JsonValue>(path, itemIndex) ?? '';
  if (!isJsonObject(value)) return requiredText(context, path, itemIndex);
  const id = value['value'] ?? '';
  const text = typeof id === 'string' ? id.trim() : JSON.stringify(id);
  if (text === '') {
    const description = 'Choose an entry, or name one by its ID';
    throw new NodeOperationError(`the parameter "${path}" is required`, { itemIndex, description });
  }
  if (value['mode'] !== 'url') return text;
  const idInUrl = urls?.exec(text.slice(0, 2_000))?.[1];
  if (idInUrl !== undefined) return idInUrl;
  const description = 'Copy the address from the browser, or use the ID';
  throw new NodeOperationError(`the parameter "${path}" is not a URL of this kind`, { itemIndex, description });
}

import { isJsonObject, type JsonObject, type JsonValue, ownProperty, userKeyed } from '@sluice/domain';
import { credentialText } from '../authentication.ts';
import type { ExecuteContext } from '../context.ts';
import { NodeOperationError } from '../errors.ts';

/** Resolves what the routing of a node says for one item. Credentials do not go to where expressions are evaluated. */
export class RoutingResolver {
  readonly #context: ExecuteContext;
  readonly #itemIndex: number;
  readonly #parameters: JsonObject;
  readonly #credentialType: string | undefined;

  /** @param credentialType of the credential that `$credentials` means; `undefined`: there is none. */
  constructor(context: ExecuteContext, itemIndex: number, parameters: JsonObject, credentialType: string | undefined) {
    this.#context = context;
    this.#itemIndex = itemIndex;
    this.#parameters = parameters;
    this.#credentialType = credentialType;
  }

  /** The value with each expression in it resolved. */
  async resolve(value: JsonValue, names: JsonObject = {}): Promise<JsonValue> {
    if (typeof value === 'string') return value.startsWith('=') ? this.#evaluate(value, names) : value;
    if (Array.isArray(value)) return Promise.all(value.map((element) => this.resolve(element, names)));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(async ([key, member]) => [key, await this.resolve(member, names)] as const);
    return userKeyed(await Promise.all(entries));
  }

  async text(value: JsonValue, names: JsonObject = {}): Promise<string> {
    const resolved = await this.resolve(value, names);
    return typeof resolved === 'string' ? resolved : JSON.stringify(resolved);
  }

  async #evaluate(text: string, names: JsonObject): Promise<JsonValue> {
    const { template, fields } = withoutCredentials(text);
    const parameters = this.#parameters;
    const resolved = await this.#context.evaluateText(template, this.#itemIndex, { names, parameters });
    if (fields.length === 0) return resolved ?? null;
    const data = await this.#credentials();
    return String(resolved ?? '').replace(placeholder, (_, index: string) => credentialText(data, fields[Number(index)] ?? ''));
  }

  async #credentials(): Promise<JsonObject> {
    const type = this.#credentialType;
    if (type === undefined) throw new NodeOperationError('the node names no credential', { itemIndex: this.#itemIndex });
    return this.#context.credentials(type, this.#itemIndex);
  }
}

/** Stands for a field of the credential until the expression has been evaluated. */
const placeholder = /\u{E000}(\d+)\u{E001}/gu;

/** The text with a mark in the place of each `{{ $credentials.field }}`. Throws where the credential is used in any other way. */
function withoutCredentials(text: string): { template: string; fields: string[] } {
  const fields: string[] = [];
  const template = text.replace(/\{\{\s*\$credentials\??\.(\w+)\s*\}\}/g, (_, field: string) => {
    fields.push(field);
    return `\u{E000}${fields.length - 1}\u{E001}`;
  });
  if (!template.includes('$credentials')) return { template, fields };
  throw new NodeOperationError(
    'routing may use a credential as {{ $credentials.field }} alone: it does not go to where expressions are evaluated',
  );
}

/** What a dotted path leads to. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isJsonObject(at) ? ownProperty(at, key) : undefined;
  }, value);
}

import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue, userKeyed } from '@sluice/domain';
import { parseTemplate } from '@sluice/expressions';
import type { ExecuteContext } from '../context.ts';
import { evaluateCredentialExpression } from '../credential-expressions/credential-expression.ts';
import { credentialText } from '../credentials/authentication.ts';
import { NodeOperationError } from '../errors/node-error.ts';

/**
 * Resolves a node's routing for one item. Credentials are never sent to the expression evaluator.
 */
export class RoutingResolver {
  readonly #context: ExecuteContext;
  readonly #itemIndex: number;
  readonly #parameters: JsonObject;
  readonly #credentialType: string | undefined;

  /**
   * @param credentialType type of the credential in `$credentials`; `undefined` if the node has
   * none.
   */
  constructor(context: ExecuteContext, itemIndex: number, parameters: JsonObject, credentialType: string | undefined) {
    this.#context = context;
    this.#itemIndex = itemIndex;
    this.#parameters = parameters;
    this.#credentialType = credentialType;
  }

  /** Resolves each expression in a value. Members that resolve to undefined are omitted. */
  async resolve(value: JsonValue, names: JsonObject = {}): Promise<JsonValue> {
    return (await this.#resolved(value, names)) ?? null;
  }

  async #resolved(value: JsonValue, names: JsonObject): Promise<JsonValue | undefined> {
    if (typeof value === 'string') return value.startsWith('=') ? this.#evaluate(value, names) : value;
    if (Array.isArray(value)) return Promise.all(value.map((element) => this.resolve(element, names)));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(async ([key, member]) => [key, await this.#resolved(member, names)] as const);
    return userKeyed((await Promise.all(entries)).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  }

  async text(value: JsonValue, names: JsonObject = {}): Promise<string> {
    const resolved = await this.resolve(value, names);
    return typeof resolved === 'string' ? resolved : JSON.stringify(resolved);
  }

  /**
   * The maximum number of items. Throws `NodeOperationError` for a value that is not a number or is
   * negative.
   */
  async limit(value: JsonValue, names: JsonObject = {}): Promise<number> {
    const resolved = await this.resolve(value, names);
    const limit = Number(resolved);
    if (limit >= 0) return limit;
    throw new NodeOperationError(`the limit must be a number that is not negative, but is ${JSON.stringify(resolved)}`, {
      itemIndex: this.#itemIndex,
    });
  }

  async #evaluate(text: string, names: JsonObject): Promise<JsonValue | undefined> {
    const { template, sources } = withoutCredentials(text);
    const parameters = this.#parameters;
    const resolved = await this.#context.evaluateText(template, this.#itemIndex, { names, parameters });
    if (sources.length === 0) return resolved;
    const scope = { ...names, $parameter: parameters, $credentials: await this.#credentials() };
    return String(resolved ?? '').replace(placeholder, (_, index: string) => {
      const source = sources[Number(index)] ?? '';
      const field = /^\$credentials\.(\w+)$/.exec(source)?.[1];
      return field === undefined
        ? evaluateCredentialExpression(`{{ ${source} }}`, scope)
        : credentialText(scope.$credentials, field);
    });
  }

  async #credentials(): Promise<JsonObject> {
    const type = this.#credentialType;
    if (type === undefined) throw new NodeOperationError('the node names no credential', { itemIndex: this.#itemIndex });
    return this.#context.credentials(type, this.#itemIndex);
  }
}

/**
 * Placeholder for a part with the credential, until the expression is evaluated. It is random,
 * because the placeholder in a user's value would also be replaced by the secret.
 */
const marker = randomUUID();
const placeholder = new RegExp(`${marker}:(\\d+);`, 'g');

/**
 * The text with a placeholder for each `{{ }}` that uses the credential, and the sources of those
 * parts.
 */
function withoutCredentials(text: string): { template: string; sources: string[] } {
  const sources: string[] = [];
  const pieces = parseTemplate(text).map((part) => {
    if ('text' in part) return part.text;
    if (!/\$credentials\b/.test(part.source)) return `{{ ${part.source} }}`;
    sources.push(part.source);
    return `${marker}:${sources.length - 1};`;
  });
  return { template: pieces.join(''), sources };
}

/** Package types may use null or an empty string for "absent". */
export function isPresent<Value>(value: Value | undefined): value is NonNullable<Value> {
  return value !== undefined && value !== null && value !== '';
}

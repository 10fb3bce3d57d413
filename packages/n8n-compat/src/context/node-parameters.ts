import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import { isDisplayed } from '@sluice/node-sdk';
import type { CommunityProperty } from '../community-types.ts';
import { boundedCopy } from '../plain-data.ts';
import { ApplicationError } from '../workflow-module/errors.ts';
import { type EnsuredType, ensureType } from './ensure-type.ts';
import { extractedValue } from './extracted-value.ts';

export interface ParameterOptions {
  extractValue?: boolean;
  ensureType?: EnsuredType;
  contextNode?: unknown;
  /** Returns the stored values, with unevaluated expressions. */
  rawExpressions?: boolean;
}

/** Property types without a value, which only editors show. */
const withoutValue: ReadonlySet<string> = new Set(['notice', 'callout', 'button', 'curlImport']);

/**
 * The parameters of a node for one item, in the packages' format: omitted parameters have the
 * description's default if they are visible. Defaults are filled in within entries of fixed
 * collections, but not within collections.
 */
export class NodeParameters {
  readonly #read: (name: string) => JsonValue | undefined;
  readonly #properties: readonly CommunityProperty[];
  readonly #typeVersion: number;
  readonly #written: JsonObject;
  readonly #known = new Map<string, JsonValue | undefined>();
  readonly #asking = new Set<string>();

  /**
   * @param read a resolved top-level parameter; `undefined` if the workflow does not have it.
   * @param written the parameters as stored in the workflow.
   */
  constructor(
    read: (name: string) => JsonValue | undefined,
    properties: readonly CommunityProperty[],
    typeVersion: number,
    written: JsonObject = {},
  ) {
    this.#read = read;
    this.#written = written;
    this.#properties = properties.filter(({ type }) => !withoutValue.has(type));
    this.#typeVersion = typeVersion;
  }

  /**
   * The value at a path such as `options.rows[0].name`. Throws if it is missing, unless there is a
   * fallback.
   */
  get(path: string, fallback: unknown, options: ParameterOptions = {}): unknown {
    const [top = '', ...rest] = segmentsOf(path, this.#properties);
    const raw = options.rawExpressions ? [top, ...rest].reduce<JsonValue | undefined>(memberOf, this.#written) : undefined;
    if (raw !== undefined) return boundedCopy(raw, `the parameter "${path}"`);
    const rawValue = rest.reduce<JsonValue | undefined>(memberOf, this.#top(top));
    const value = rawValue === undefined ? fallback : boundedCopy(rawValue, `the parameter "${path}"`);
    if (value === undefined)
      throw new ApplicationError(`Could not get parameter "${path}"`, { extra: { parameterName: path } });
    const extracted = options.extractValue ? extractedValue(value, this.#propertyAt([top, ...rest]), path) : value;
    return options.ensureType ? ensureType(extracted, options.ensureType, path) : extracted;
  }

  /** All top-level parameters. */
  all(): JsonObject {
    const names = new Set(this.#properties.map(({ name }) => name));
    const entries = [...names].map((name) => [name, this.#top(name)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  }

  #top(name: string): JsonValue | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    if (this.#asking.has(name)) return undefined;
    this.#asking.add(name);
    const value = this.#filled(name);
    this.#asking.delete(name);
    this.#known.set(name, value);
    return value;
  }

  #filled(name: string): JsonValue | undefined {
    const stored = this.#read(name);
    const candidates = this.#properties.filter((property) => property.name === name);
    const property = candidates.find((one) => this.#shows(one, {})) ?? (stored === undefined ? undefined : candidates[0]);
    const value = stored === undefined ? property?.default : stored;
    return property && value !== undefined ? this.#withEntries(property, value) : value;
  }

  #shows({ displayOptions }: CommunityProperty, siblings: JsonObject): boolean {
    // Reads only the parameters that conditions use, one by one, because one parameter may
    // determine whether the next is visible.
    const names = [displayOptions?.show, displayOptions?.hide].flatMap((side) => Object.keys(side ?? {}));
    const tops = names.filter((name) => name !== '@version').map((name) => name.replace(/^\//, '').split('.')[0] ?? '');
    const parameters: JsonObject = {};
    for (const top of tops) {
      const value = this.#top(top);
      if (value !== undefined) parameters[top] = value;
    }
    return isDisplayed(displayOptions, { siblings, parameters, typeVersion: this.#typeVersion });
  }

  /** Entries of fixed collections with defaults filled in. */
  #withEntries(property: CommunityProperty, value: JsonValue): JsonValue {
    if (!isJsonObject(value)) return value;
    const options = (property.options ?? []) as readonly CommunityProperty[];
    if (property.type === 'collection')
      return this.#mapped(value, options, (option, inner) => this.#withEntries(option, inner));
    if (property.type !== 'fixedCollection') return value;
    return this.#mapped(value, options, (group, inner) =>
      Array.isArray(inner) ? inner.map((entry) => this.#entry(group, entry)) : this.#entry(group, inner),
    );
  }

  #mapped(
    value: JsonObject,
    options: readonly CommunityProperty[],
    map: (option: CommunityProperty, inner: JsonValue) => JsonValue,
  ): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const option = options.find((one) => one.name === name);
        return [name, option ? map(option, inner) : inner];
      }),
    );
  }

  #entry({ values = [] }: CommunityProperty, entry: JsonValue): JsonValue {
    if (!isJsonObject(entry)) return entry;
    const filled: JsonObject = { ...entry };
    for (const property of values) {
      const value = ownProperty(filled, property.name) ?? (this.#shows(property, filled) ? property.default : undefined);
      if (value !== undefined) filled[property.name] = this.#withEntries(property, value);
    }
    return filled;
  }

  /** The property at a path, which describes its value. */
  #propertyAt([top = '', ...rest]: readonly string[]): CommunityProperty | undefined {
    const candidates = this.#properties.filter((property) => property.name === top);
    const start = candidates.find((one) => this.#shows(one, {})) ?? candidates[0];
    return rest
      .filter((segment) => !/^\d+$/.test(segment))
      .reduce<CommunityProperty | undefined>((at, name) => {
        const inner = [...((at?.options ?? []) as readonly CommunityProperty[]), ...(at?.values ?? [])];
        return inner.find((one) => one.name === name);
      }, start);
  }
}

/** Names may contain dots. */
function segmentsOf(path: string, properties: readonly CommunityProperty[]): string[] {
  if (properties.some(({ name }) => name === path)) return [path];
  return [...path.matchAll(/[^.[\]"']+/g)].map(([segment]) => segment);
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return key === 'length' ? value.length : value[Number(key)];
  return isJsonObject(value) ? ownProperty(value, key) : undefined;
}

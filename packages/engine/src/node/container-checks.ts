import type { JsonObject, JsonValue } from '@sluice/domain';
import { checkResolvedParameter, type NodeTypeDescription } from '@sluice/node-sdk';
import type { ResolvedParameters } from '@sluice/sandbox';
import { InvalidParameterError } from '../errors.ts';
import type { PreparedNode } from '../graph/prepared-graph.ts';

/**
 * Checks the objects and lists that expressions returned in place of a collection, conditions, or
 * assignments, like literal values, when the node first reads them for an item.
 */
export class ContainerChecks {
  readonly #node: PreparedNode;
  readonly #description: NodeTypeDescription;
  readonly #resolved: ResolvedParameters;
  /** Parameter → the last item for which it was checked. */
  readonly #checked = new Map<string, number>();

  constructor(node: PreparedNode, description: NodeTypeDescription, resolved: ResolvedParameters) {
    this.#node = node;
    this.#description = description;
    this.#resolved = resolved;
  }

  /** Throws `InvalidParameterError` if the parameter at a dotted path is malformed for an item. */
  check(path: string, itemIndex: number): void {
    const { containers } = this.#node.parameterCheck;
    const [root = ''] = path.split('.', 1);
    for (const name of root === '' ? containers : [root]) {
      if (!containers.has(name) || this.#checked.get(name) === itemIndex) continue;
      this.#checkParameter(name, itemIndex);
      this.#checked.set(name, itemIndex);
    }
  }

  #checkParameter(name: string, itemIndex: number): void {
    const value = this.#valueOf(name, itemIndex);
    if (value === undefined) return;
    const parameters = { ...this.#shownBy(itemIndex), [name]: value };
    const problems = checkResolvedParameter(this.#description, name, parameters, this.#node.typeVersion);
    const errors = problems.filter(({ kind }) => kind === 'invalid');
    if (errors.length > 0) throw new InvalidParameterError(errors);
  }

  /** The parameters, with resolved values where these may decide which parameters are visible. */
  #shownBy(itemIndex: number): JsonObject {
    const written = Object.entries(this.#node.node.parameters);
    const texts = written.filter(([, value]) => typeof value === 'string' && value.startsWith('='));
    const resolved = texts.map(([name]) => [name, this.#valueOf(name, itemIndex) ?? null]);
    return { ...this.#node.node.parameters, ...Object.fromEntries(resolved) };
  }

  /** Null for an undefined result; `undefined` if it fails, which the node's own read reports. */
  #valueOf(name: string, itemIndex: number): JsonValue | undefined {
    try {
      return this.#resolved.get(name, itemIndex) ?? null;
    } catch {
      return undefined;
    }
  }
}

/** The checks that a node needs in each run; `undefined` if its parameters need none. */
export function containerChecksOf(node: PreparedNode, resolved: ResolvedParameters): ContainerChecks | undefined {
  if (!node.type || node.parameterCheck.containers.size === 0) return undefined;
  return new ContainerChecks(node, node.type.description, resolved);
}

import type { ListNodeTypesQuery } from '@sluice/contract';
import { NotFoundError } from '@sluice/domain';
import { firstPage, type Page } from '../paging/page.ts';
import { decodeCursor, encodeCursor } from '../paging/page-cursors.ts';

/** Description of a node type; `type` is the name that nodes use. */
interface NodeTypeEntry {
  type: string;
  displayName?: string;
  description?: string | undefined;
}

/** All node types. */
export interface LoadedNodeTypes {
  entries: readonly NodeTypeEntry[];
  /** The identifier for another name of a type, such as `n8n-nodes-base.if`. */
  typeOf(name: string): string;
}

/**
 * The built-in node types and the types of installed packages, loaded on first use: most API
 * processes do not need them.
 */
export class NodeTypeService {
  readonly #load: () => Promise<LoadedNodeTypes>;
  #loaded: Promise<LoadedNodeTypes> | undefined;

  /** `load` is called once. */
  constructor(load: () => Promise<LoadedNodeTypes>) {
    this.#load = load;
  }

  /** By type. */
  async list({ cursor, limit, search = '' }: ListNodeTypesQuery): Promise<Page<NodeTypeEntry>> {
    const after = cursor === undefined ? '' : decodeCursor('nodeTypes', cursor).name;
    const words = search.toLowerCase().split(/\s+/);
    const rest = (await this.#all()).entries.filter((entry) => entry.type > after && matches(entry, words));
    return firstPage(rest, limit, ({ type }) => encodeCursor('nodeTypes', { name: type }));
  }

  /** By identifier or another name of the type. Throws `NotFoundError`. */
  async get(type: string): Promise<NodeTypeEntry> {
    const { entries, typeOf } = await this.#all();
    const identifier = typeOf(type);
    const nodeType = entries.find((entry) => entry.type === identifier);
    if (!nodeType) throw new NotFoundError(`node type ${JSON.stringify(type.slice(0, 128))} does not exist`);
    return nodeType;
  }

  #all(): Promise<LoadedNodeTypes> {
    this.#loaded ??= this.#load().then(({ entries, typeOf }) => ({
      entries: [...entries].sort((a, b) => (a.type < b.type ? -1 : 1)),
      typeOf,
    }));
    return this.#loaded;
  }
}

function matches({ type, displayName, description }: NodeTypeEntry, words: readonly string[]): boolean {
  const text = `${type}\n${displayName}\n${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

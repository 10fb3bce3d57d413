import type { ListNodeTypesQuery } from '@sluice/contract';
import { NotFoundError } from '@sluice/domain';
import { decodeCursor, encodeCursor } from '../paging/cursor.ts';

/** Description of a node type; `type` is the name that nodes use. */
export interface NodeTypeEntry {
  type: string;
}

/** The built-in node types and those of installed packages, loaded on first use: most API processes do not need them. */
export class NodeTypeService {
  readonly #load: () => Promise<readonly NodeTypeEntry[]>;
  #loaded: Promise<readonly NodeTypeEntry[]> | undefined;

  /** `load` is called once. */
  constructor(load: () => Promise<readonly NodeTypeEntry[]>) {
    this.#load = load;
  }

  /** By type. */
  async list({ cursor, limit }: ListNodeTypesQuery): Promise<{ nodeTypes: NodeTypeEntry[]; nextCursor: string | null }> {
    const after = cursor === undefined ? '' : decodeCursor('nodeTypes', cursor).name;
    const rest = (await this.#all()).filter(({ type }) => type > after);
    const nodeTypes = rest.slice(0, limit);
    const last = rest.length > limit ? nodeTypes.at(-1) : undefined;
    return { nodeTypes, nextCursor: last ? encodeCursor('nodeTypes', { name: last.type }) : null };
  }

  /** Throws `NotFoundError`. */
  async get(type: string): Promise<NodeTypeEntry> {
    const found = (await this.#all()).find((entry) => entry.type === type);
    if (!found) throw new NotFoundError(`node type ${JSON.stringify(type.slice(0, 128))} does not exist`);
    return found;
  }

  #all(): Promise<readonly NodeTypeEntry[]> {
    this.#loaded ??= this.#load().then((entries) => [...entries].sort((a, b) => (a.type < b.type ? -1 : 1)));
    return this.#loaded;
  }
}

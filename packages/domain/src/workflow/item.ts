import type { JsonObject } from '../json/json.ts';

/** A file that belongs to an item: its bytes are stored separately, under an opaque id. */
export interface BinaryReference {
  id: string;
  mimeType: string;
  fileName?: string;
  fileExtension?: string;
  /** Folder from which the file was read, as written in its path. */
  directory?: string;
  /** Bytes. */
  fileSize?: number;
}

/** The input item that an output item was made from: its index, and the input of the node. */
export interface PairedItem {
  item: number;
  input?: number;
  /**
   * The node run in which the input item arrived, if earlier than the run that outputs the item.
   */
  run?: number;
}

/**
 * The unit of data on connections: one JSON object, with optional files. Nodes receive and return
 * arrays of items.
 */
export interface Item {
  json: JsonObject;
  binary?: Record<string, BinaryReference>;
  pairedItem?: number | PairedItem | PairedItem[];
}

/** Output of a node: one array of items for each output; null for an output that did not fire. */
export type NodeOutput = (Item[] | null)[];

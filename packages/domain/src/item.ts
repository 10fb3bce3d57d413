import type { JsonObject } from './json.ts';

/** A file beside an item's JSON: the bytes live elsewhere, under an opaque id. */
export interface BinaryReference {
  id: string;
  mimeType: string;
  fileName?: string;
  fileExtension?: string;
  /** Bytes. */
  fileSize?: number;
}

/** Which input item an output item was made from: index into the input, and which input of the node. */
export interface PairedItem {
  item: number;
  input?: number;
  /** The run of the node that the input item arrived in, where it is an earlier one than the run that gives the output item. */
  run?: number;
}

/** What flows along connections: one JSON object, with optional files. Nodes take and give arrays of items. */
export interface Item {
  json: JsonObject;
  binary?: Record<string, BinaryReference>;
  pairedItem?: number | PairedItem | PairedItem[];
}

/** What a node gives: one array of items for each output; null where an output did not fire. */
export type NodeOutput = (Item[] | null)[];

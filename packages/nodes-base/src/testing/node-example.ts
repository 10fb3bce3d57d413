import type { JsonObject } from '@sluice/node-sdk';

/**
 * An example of a node type, stored next to it as `example.ts`. The node's documentation page shows
 * it, and a test runs it through the engine.
 */
export interface NodeExample {
  /** Sentence that describes the example. */
  shows: string;
  /** Default: the newest. */
  typeVersion?: number;
  /**
   * Requirements that only the node's own test provides, such as a server or a table; that test
   * runs the example.
   */
  needs?: string;
  /** Additional notes for operators and authors, in Markdown. */
  notes?: string;
  parameters: JsonObject;
  /** JSON of the items per input; absent for a trigger. */
  inputs?: JsonObject[][];
  /** JSON of the items per output; trailing empty outputs may be omitted. */
  outputs?: JsonObject[][];
  /** Message of the expected error, instead of outputs. */
  error?: string;
  /** Text files of each item of input 0, by property. */
  files?: Record<string, { fileName: string; text: string }>;
  /** Files on this machine, by path; paths start with `/files/`. */
  folder?: Record<string, string>;
  /** Response to the node's HTTP requests. */
  response?: { status: number; json: JsonObject | JsonObject[] } | { status: number; text: string };
}

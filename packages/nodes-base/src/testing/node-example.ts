import type { JsonObject } from '@sluice/node-sdk';

/** An example of a node type, kept beside it as `example.ts`: its page in the documentation shows it, and a test runs it through the engine. */
export interface NodeExample {
  /** What it shows, as a sentence. */
  shows: string;
  /** Default: the newest. */
  typeVersion?: number;
  /** What it needs that only its own test has: a server, a table. The test of the node runs the example. */
  needs?: string;
  /** What an operator or author must know beside the example, in Markdown. */
  notes?: string;
  parameters: JsonObject;
  /** JSON of the items per input; absent: the node starts the workflow. */
  inputs?: JsonObject[][];
  /** JSON of the items per output; trailing empty outputs may be left out. */
  outputs?: JsonObject[][];
  /** The message of the error that it ends with, in place of outputs. */
  error?: string;
  /** Text files that each item of input 0 has, by the property that holds them. */
  files?: Record<string, { fileName: string; text: string }>;
  /** Files of the machine, by their paths, which begin with `/files/`. */
  folder?: Record<string, string>;
  /** What the network answers to the node's requests. */
  response?: { status: number; json: JsonObject | JsonObject[] } | { status: number; text: string };
}

import type { JsonObject } from '@sluice/node-sdk';
import type { ServerAnswer } from './provider-server.ts';
import type { CalledWorkflows } from './run-attempts.ts';

/** A node of an example. */
interface AiExampleNode {
  type: string;
  typeVersion?: number;
  parameters?: JsonObject;
  /** Type of its credential. */
  credential?: string;
  /** Node → connection type by which this node is attached to it. */
  to?: Readonly<Record<string, string>>;
}

/** APIs that examples call. */
export type ExampleApi =
  | 'anthropic'
  | 'bedrock'
  | 'cohere'
  | 'gemini'
  | 'huggingFace'
  | 'mcp'
  | 'ollama'
  | 'openAi'
  | 'pinecone'
  | 'qdrant'
  | 'searXng'
  | 'serpApi'
  | 'supabase'
  | 'vertex'
  | 'weaviate'
  | 'wikipedia'
  | 'wolframAlpha';

/**
 * An example of an AI node type, in `example.ts` next to it. Its documentation page shows it as a
 * workflow, and a test runs it against loopback servers. The first node receives the items.
 */
export interface AiExample {
  /** Sentence that describes the example. */
  shows: string;
  nodes: Readonly<Record<string, AiExampleNode>>;
  /** A database that the example connects to; its integration test runs it. */
  needs?: 'mongodb' | 'postgres' | 'redis';
  /** JSON of the first node's items. Default: one item without fields. */
  items?: readonly JsonObject[];
  /**
   * API responses, in order. `openAi` also serves compatible APIs, and embeds text without a
   * response from the list.
   */
  apis?: Partial<Record<ExampleApi, readonly ServerAnswer[]>>;
  /** Workflows that the example calls: ID → function from input JSON to output JSON. */
  called?: CalledWorkflows;
  /** JSON of the items that a node returns. */
  output: { node: string; items: readonly JsonObject[] };
}

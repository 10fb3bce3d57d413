import type { JsonValue } from '@sluice/domain';

/** Types of connections. Items flow along `main`; the AI types carry sub-nodes. */
export const connectionTypes = ['main', 'ai_languageModel', 'ai_memory', 'ai_tool', 'ai_outputParser', 'ai_embedding'] as const;
export type ConnectionType = (typeof connectionTypes)[number];

export type NodeGroup = 'input' | 'output' | 'transform' | 'trigger' | 'schedule';

/** A parameter of a node, for editors and for checking workflows. */
export interface NodeProperty {
  displayName: string;
  name: string;
  type:
    | 'string'
    | 'number'
    | 'boolean'
    | 'options'
    | 'multiOptions'
    | 'collection'
    | 'fixedCollection'
    | 'json'
    | 'dateTime'
    | 'filter'
    | 'assignmentCollection'
    | 'credentialsSelect'
    | 'hidden'
    | 'notice';
  default: JsonValue;
  description?: string;
  required?: boolean;
  /** A text at the top of the parameters in which every `{{ }}` is an expression, also without the leading `=`. */
  isTemplate?: boolean;
  options?: readonly (NodePropertyOption | NodeProperty | NodePropertyGroup)[];
  typeOptions?: { [key: string]: JsonValue };
  /** Parameter path → values (of it) under which this one is shown or hidden; `@version` means the node's version. */
  displayOptions?: { show?: Record<string, readonly JsonValue[]>; hide?: Record<string, readonly JsonValue[]> };
}

export interface NodePropertyOption {
  name: string;
  value: string | number | boolean;
  description?: string;
}

export interface NodePropertyGroup {
  name: string;
  displayName: string;
  values: readonly NodeProperty[];
}

/** What a node type says of itself: the contract's "Node type description". */
export interface NodeTypeDescription {
  displayName: string;
  /** Kebab-case; with the package's name before it, it is the type identifier: `base.http-request`. */
  name: string;
  group: readonly NodeGroup[];
  version: number | readonly number[];
  /** The version a node without `typeVersion` has. Default: the highest. */
  defaultVersion?: number;
  description: string;
  defaults: { name: string };
  inputs: readonly ConnectionType[];
  outputs: readonly ConnectionType[];
  properties: readonly NodeProperty[];
  /** `fa:<name>`, `file:<name>.svg` or `node:<package>.<node>`. */
  icon?: string;
  iconColor?: 'gray' | 'blue' | 'green' | 'red' | 'orange' | 'purple';
  subtitle?: string;
  credentials?: readonly { name: string; required?: boolean }[];
  /** The most nodes of this type in one workflow. */
  maxNodes?: number;
  /**
   * How many of the connected inputs must have arrived, or must be known not to come, before the node runs. Default: a node
   * with one input runs at each arrival; one with several waits for all that can still get data.
   */
  requiredInputs?: number | 'all';
}

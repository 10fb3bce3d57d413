import type { JsonValue } from '@sluice/domain';
import type { ConnectionType } from './connection-type.ts';
import type { Routing, RoutingRequest } from './declarative/routing.ts';

export const nodeGroups = ['input', 'output', 'transform', 'trigger', 'schedule'] as const;
export type NodeGroup = (typeof nodeGroups)[number];

export const iconColors = ['gray', 'blue', 'green', 'red', 'orange', 'purple'] as const;
export type IconColor = (typeof iconColors)[number];

/** Kinds of parameters. */
export const propertyTypes = [
  'string',
  'number',
  'boolean',
  'options',
  'multiOptions',
  'collection',
  'fixedCollection',
  'json',
  'dateTime',
  'filter',
  'assignmentCollection',
  'credentialsSelect',
  'hidden',
  'notice',
] as const;
export type NodePropertyType = (typeof propertyTypes)[number];

/** A parameter of a node, for editors and for workflow validation. */
export interface NodeProperty {
  displayName: string;
  name: string;
  type: NodePropertyType;
  default: JsonValue;
  description?: string;
  required?: boolean;
  /** Top-level text in which every `{{ }}` is an expression, even without a leading `=`. */
  isTemplate?: boolean;
  /**
   * Text whose parts, separated by commas outside of every `{{ }}`, are resolved separately.
   * Several parts become a list; commas within a value do not separate. Top-level, or in a
   * top-level collection.
   */
  isExpressionList?: boolean;
  /** Comma-separated names, or a list of names. */
  acceptsList?: boolean;
  /**
   * Text whose expressions remain separate values, such as a query that binds them. The result is a
   * list that alternates text and values, with text first and last. Text without expressions
   * remains text.
   */
  expressionsAsValues?: boolean;
  /**
   * Text whose date, if a single expression returns it, keeps its time zone and a locale other than
   * en-US: `2024-01-31T09:00:00.000+01:00[Europe/Berlin][_locale=de]` (RFC 9557). An invalid date
   * becomes `Invalid DateTime`. Top-level.
   */
  keepsTimeZone?: boolean;
  /** The node converts values of other types itself, so a wrong type is doubtful, not invalid. */
  acceptsAnyValue?: boolean;
  /** If a `filter` or `fixedCollection` has no entries: a hint on runs, a warning on save. */
  emptyHint?: string;
  options?: readonly (NodePropertyOption | NodeProperty | NodePropertyGroup)[];
  typeOptions?: { [key: string]: JsonValue };
  /** Effect of the parameter on the request of a declarative type. */
  routing?: Routing;
  /**
   * Parameter path → values for which this parameter is shown or hidden. `@version` means the
   * node's version.
   */
  displayOptions?: { show?: Record<string, readonly JsonValue[]>; hide?: Record<string, readonly JsonValue[]> };
}

export interface NodePropertyOption {
  name: string;
  value: string | number | boolean;
  description?: string;
  /** Effect of the option on the request of a declarative type. */
  routing?: Routing;
}

export interface NodePropertyGroup {
  name: string;
  displayName: string;
  values: readonly NodeProperty[];
}

/** The contract's "Node type description". */
export interface NodeTypeDescription {
  displayName: string;
  /** Kebab-case. Prefixed with the package name, it is the type identifier: `base.http-request`. */
  name: string;
  group: readonly NodeGroup[];
  version: number | readonly number[];
  /** The version of a node without `typeVersion`. Default: the highest. */
  defaultVersion?: number;
  description: string;
  /** Newer types replace this type: it still runs, and editors list it last. */
  deprecated?: boolean;
  defaults: { name: string };
  inputs: readonly ConnectionType[];
  outputs: readonly ConnectionType[];
  properties: readonly NodeProperty[];
  /** Sub-nodes that a node of the type accepts, in addition to its `inputs`. Absent: unknown. */
  subNodes?: readonly SubNodeInput[];
  /**
   * An agent can call the node as a tool, under the type name with `Tool` appended. Parameters may
   * then contain `$fromAI(name, description, type, default)`.
   */
  usableAsTool?: boolean;
  /** `fa:<name>`, `file:<name>.svg` or `node:<package>.<node>`. */
  icon?: string;
  iconColor?: IconColor;
  subtitle?: string;
  credentials?: readonly NodeCredential[];
  /**
   * Maximum number of enabled nodes of this type in an active workflow. Activation rejects more and
   * names the nodes.
   */
  maxNodes?: number;
  /** Defaults of all requests of a declarative type, which has no `execute`. */
  requestDefaults?: RoutingRequest;
  /** Whether the type has a `poll`. It must have `pollTimesProperty` among its properties. */
  polling?: boolean;
  /**
   * The type's webhooks while the workflow is active; `NodeType.webhook` handles their requests.
   */
  webhooks?: readonly WebhookDescription[];
  /** Requests that activation and deactivation make, in sequence. */
  hooks?: { readonly activate?: readonly NodeHook[]; readonly deactivate?: readonly NodeHook[] };
  /**
   * Features of some versions: name → condition on `@version`. The engine does not use them; a type
   * checks them with `hasFeature`.
   */
  features?: Readonly<Record<string, NodeFeature>>;
  /**
   * Number of connected inputs that must have arrived, or be known to remain empty, before the node
   * runs. Default: a node with one input runs at each arrival; a node with several waits for all
   * inputs that can still get data.
   */
  requiredInputs?: number | 'all';
  /**
   * The type's runs have no external effects, so they can be repeated: after a crash, the last runs
   * may be missing, and a retry executes them again. Absent: the type may have external effects, so
   * its input is stored before it starts, and its run is stored before the next node starts.
   */
  computesOnly?: boolean;
}

/** Connections of one type from sub-nodes to a node. */
export interface SubNodeInput {
  type: Exclude<ConnectionType, 'main'>;
  displayName?: string;
  /** Whether a run fails without a sub-node. */
  required?: boolean;
  /** Maximum number of sub-nodes. Default: any number. */
  maxCount?: number;
  /** Parameter values and versions for which the input exists. */
  displayOptions?: NodeProperty['displayOptions'];
}

/** A credential that nodes of the type can use. */
export interface NodeCredential {
  /** Name of a credential type. */
  name: string;
  required?: boolean;
  displayOptions?: NodeProperty['displayOptions'];
  /** Name of the credential's test in `NodeMethods.credentialTest`, if its type has no test. */
  testedBy?: string;
}

/**
 * A webhook of a type. Strings that start with `=` are expressions over the node's parameters: `={{
 * $parameter.path }}`. If `httpMethod` resolves to empty text, the webhook is omitted.
 */
export interface WebhookDescription {
  /**
   * `default` for events, `setup` for a service's verification request. Other names may be chosen
   * freely. Unique within the type.
   */
  name: string;
  /** `DELETE`, `GET`, `HEAD`, `PATCH`, `POST`, `PUT`, or an expression. */
  httpMethod: string;
  /**
   * `onReceived`, `lastNode`, or `responseNode`: the response to a request that starts an
   * execution, unless `webhook` determines it.
   */
  responseMode: string;
  /**
   * Appended to the node's unique part of the URL, unless `isFullPath`. Path segments separated by
   * slashes; `:name` matches any segment.
   */
  path: string;
  /** The path follows `/webhook/` directly. For paths that users choose. */
  isFullPath?: boolean;
}

/** A hook's request, as plain data. */
export interface NodeHook {
  /** HTTP method. */
  method: string;
  /**
   * The request as in `routing.request`, merged into `requestDefaults`. Expressions can also use
   * `$webhookUrls`, webhook name → URL. The first of the description's credentials that the node
   * has set authenticates it. Any status except 2xx is a failure.
   */
  request: RoutingRequest;
}

/** `true`: in every version; otherwise in the listed versions. */
export type NodeFeature = boolean | { readonly '@version': readonly number[] };

/** Whether a type has a feature in a version. */
export function hasFeature({ features }: Pick<NodeTypeDescription, 'features'>, name: string, typeVersion: number): boolean {
  const feature = Object.entries(features ?? {}).find(([featureName]) => featureName === name)?.[1];
  return typeof feature === 'object' ? feature['@version'].includes(typeVersion) : feature === true;
}

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

/** A parameter of a node, for editors and for checking workflows. */
export interface NodeProperty {
  displayName: string;
  name: string;
  type: NodePropertyType;
  default: JsonValue;
  description?: string;
  required?: boolean;
  /** A text at the top of the parameters in which every `{{ }}` is an expression, also without the leading `=`. */
  isTemplate?: boolean;
  /**
   * A text whose parts, separated by commas outside of every `{{ }}`, are resolved each by itself: several parts come out as a list, in which a
   * comma of a value separates nothing. At the top of the parameters, or in a collection there.
   */
  isExpressionList?: boolean;
  /** A text of names, separated by commas, that may also be a list of them. */
  acceptsList?: boolean;
  /**
   * A text whose expressions are values beside it, such as a query that binds them: text and values come out by turns as a list, which
   * begins and ends with text. A text without expressions stays a text.
   */
  expressionsAsValues?: boolean;
  /** The node converts values of other types itself: one that is written is doubtful, not invalid. */
  acceptsAnyValue?: boolean;
  options?: readonly (NodePropertyOption | NodeProperty | NodePropertyGroup)[];
  typeOptions?: { [key: string]: JsonValue };
  /** What the parameter does to the request of a declarative type. */
  routing?: Routing;
  /** Parameter path → values (of it) under which this one is shown or hidden; `@version` means the node's version. */
  displayOptions?: { show?: Record<string, readonly JsonValue[]>; hide?: Record<string, readonly JsonValue[]> };
}

export interface NodePropertyOption {
  name: string;
  value: string | number | boolean;
  description?: string;
  /** What the choice does to the request of a declarative type. */
  routing?: Routing;
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
  iconColor?: IconColor;
  subtitle?: string;
  credentials?: readonly NodeCredential[];
  /** The most nodes of this type in an active workflow, disabled ones apart: activation refuses more, naming the nodes. */
  maxNodes?: number;
  /** Of a declarative type, which has no `execute`: where all of its requests begin. */
  requestDefaults?: RoutingRequest;
  /** The type has a `poll`, and `pollTimesProperty` among its properties. */
  polling?: boolean;
  /** Addresses that the type is called at while the workflow is active; `NodeType.webhook` handles the calls. */
  webhooks?: readonly WebhookDescription[];
  /** Requests that activation and deactivation make, one after the other. */
  hooks?: { readonly activate?: readonly NodeHook[]; readonly deactivate?: readonly NodeHook[] };
  /** Flags that hold for some versions: name → the condition on `@version`. Nothing of the engine depends on one; a type asks with `hasFeature`. */
  features?: Readonly<Record<string, NodeFeature>>;
  /**
   * How many of the connected inputs must have arrived, or must be known not to come, before the node runs. Default: a node
   * with one input runs at each arrival; one with several waits for all that can still get data.
   */
  requiredInputs?: number | 'all';
  /**
   * Running a node of the type makes items out of items and leaves no trace elsewhere: nobody notices when it is done once more. So after a crash its last
   * runs may be missing, and a retry makes them anew. Absent: it may act outside; what it is given is stored before it begins, and its run before any other node begins.
   */
  computesOnly?: boolean;
}

/** A credential that a node of the type may name. */
export interface NodeCredential {
  /** Name of a credential type. */
  name: string;
  required?: boolean;
  displayOptions?: NodeProperty['displayOptions'];
  /** Name in `NodeMethods.credentialTest` of what tests such a credential, where its type has no test of its own. */
  testedBy?: string;
}

/**
 * An address that a type is called at. Texts that begin with `=` are expressions, which see the node's parameters: `={{ $parameter.path }}`. One that
 * comes out empty for `httpMethod` leaves the webhook out.
 */
export interface WebhookDescription {
  /** `default` for events, `setup` for what a service asks before it sends any; others as the type likes. Unique in the type. */
  name: string;
  /** `DELETE`, `GET`, `HEAD`, `PATCH`, `POST`, `PUT`, or an expression. */
  httpMethod: string;
  /** `onReceived`, `lastNode` or `responseNode`: what a call that starts an execution is answered with, unless `webhook` says. */
  responseMode: string;
  /** Behind the node's own part of the address, which no other node has, unless `isFullPath`. Words between slashes; `:name` stands for any. */
  path: string;
  /** The path is all there is below `/webhook/`: to be used where users choose it. */
  isFullPath?: boolean;
}

/** A request that a hook makes, as plain data. */
export interface NodeHook {
  /** HTTP method. */
  method: string;
  /**
   * The rest of it, as `routing.request` has it, laid over `requestDefaults`; expressions also see `$webhookUrls`, webhook name → address. The first
   * credential of the description that the node names authenticates it. Any status but 2xx is a failure.
   */
  request: RoutingRequest;
}

/** `true`: in every version; else in those that it names. */
export type NodeFeature = boolean | { readonly '@version': readonly number[] };

/** Whether a feature of a type holds in a version. */
export function hasFeature({ features }: Pick<NodeTypeDescription, 'features'>, name: string, typeVersion: number): boolean {
  const feature = Object.entries(features ?? {}).find(([known]) => known === name)?.[1];
  return typeof feature === 'object' ? feature['@version'].includes(typeVersion) : feature === true;
}

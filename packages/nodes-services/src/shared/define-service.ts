import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonValue,
  mapSliced,
  type NodeOutput,
  type NodeProperty,
  type NodeType,
  type NodeTypeDescription,
  TimeSlice,
} from '@sluice/node-sdk';
import {
  answeredItems,
  choice,
  choiceParameter,
  failureOfAllOrThrow,
  mapItemsAsync,
  type Question,
  questionOf,
  refuseUnsupported,
  sendAndWaitProperties,
  text,
} from '@sluice/nodes-base/node-tools';
import type { ApiClient } from './api-client.ts';
import { FileItem } from './file-item.ts';
import { ServiceItem } from './service-item.ts';

/** The result of an operation: the JSON of items, or items with files. */
export type Produced = JsonValue | undefined | FileItem | readonly FileItem[];

interface OperationSource {
  displayName: string;
  description: string;
  /** Versions with this property; default: all. */
  versions?: readonly number[];
  /** Shown only for this operation. */
  properties: readonly NodeProperty[];
}

/** One entry in a resource's table. */
export interface Operation extends OperationSource {
  /** Runs once for each item. Values that are not objects become `{ value }`. */
  run(item: ServiceItem): Promise<Produced>;
}

/** An entry whose items share requests. The first item determines the operation for all of them. */
interface BatchOperation extends OperationSource {
  /** Resolves to each item's results, in item order. */
  runAll(items: readonly ServiceItem[]): Promise<readonly Produced[]>;
}

/** An entry that sends one message for all items, and waits for the response to it. */
interface AskOperation extends OperationSource {
  ask(item: ServiceItem, question: Question): Promise<unknown>;
}

type AnyOperation = Operation | BatchOperation | AskOperation;

/**
 * The operation that sends a message and waits for a response. `recipient`: properties before the
 * message.
 */
export function sendAndWait(recipient: readonly NodeProperty[], ask: AskOperation['ask']): AskOperation {
  return {
    displayName: 'Send and Wait for Response',
    description: 'Sends a message, and waits until a user approves, writes text, or fills in a form',
    properties: [
      ...recipient,
      text('message', 'Message', 'Text of the message', { required: true }),
      ...sendAndWaitProperties(),
    ],
    ask,
  };
}

/** Operations on one kind of object; the first is the default unless `initial` names another. */
export interface Resource {
  displayName: string;
  initial?: string;
  /** Versions with this resource; default: all. */
  versions?: readonly number[];
  operations: Readonly<Record<string, AnyOperation>>;
}

/** An operation that other parameters choose, without `resource` and `operation`. */
export interface LoneOperation {
  /** Parameter, or `@version`, → values that select it. A new node does not have these values. */
  when: Readonly<Record<string, readonly JsonValue[]>>;
  properties: readonly NodeProperty[];
  /** See `Operation`. */
  run(item: ServiceItem): Promise<Produced>;
}

/** A node's resources. */
interface Tables {
  /** Value of `resource` → its table. The first is the default unless `initial` names another. */
  resources: Readonly<Record<string, Resource>>;
  initial?: string | undefined;
  /** Versions with another default resource. */
  formerInitial?: { readonly versions: readonly number[]; readonly resource: string } | undefined;
}

/** Resources that only some versions have; without `versions`, all. */
interface VersionedTables extends Tables {
  versions?: readonly number[];
}

/** A node type built from tables. */
export interface ServiceSource
  extends Tables,
    Pick<NodeTypeDescription, 'displayName' | 'name' | 'version' | 'description'>,
    Partial<Pick<NodeTypeDescription, 'defaultVersion' | 'credentials' | 'icon' | 'iconColor' | 'group'>> {
  client: ApiClient;
  /** Versions with entirely different resources, which replace `resources`. */
  earlier?: Required<Omit<VersionedTables, 'formerInitial'>>;
  /** The first entry whose condition matches replaces resource and operation. */
  alone?: readonly LoneOperation[];
  /** Before `resource`, such as `authentication`. */
  leading?: readonly NodeProperty[];
  methods?: NodeType['methods'];
  unsupported?: NodeType['unsupported'];
}

/**
 * Builds a node type from its tables: parameters `resource` and `operation`, the parameters of each
 * operation, and an `execute` that runs the selected operation for each item. A failed item becomes
 * an item with `error` if the node may continue.
 */
export function defineService(source: ServiceSource): NodeType {
  const {
    client,
    resources,
    initial,
    formerInitial,
    earlier,
    alone = [],
    leading = [],
    methods,
    unsupported = [],
    ...described
  } = source;
  const tables = tablesOf(source);
  const description: NodeTypeDescription = {
    group: ['output'],
    ...described,
    defaults: { name: described.displayName },
    inputs: ['main'],
    outputs: ['main'],
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    usableAsTool: true,
    properties: [
      ...leading,
      ...tables.flatMap(propertiesOf).map((property) => hiddenFor(property, alone)),
      ...alone.flatMap(({ when, properties }) => properties.map((property) => shownFor(property, when))),
    ],
  };
  return {
    description,
    ...(methods && { methods }),
    ...(unsupported.length > 0 && { unsupported }),
    ...(tables.some(asks) && { resume: answeredItems }),
    execute: async (context) => {
      const chosen = (index: number) => loneOperation(context, index, alone) ?? chosenOperation(context, index, tables);
      for (const index of context.items().keys()) refuseUnsupported(context, unsupported, index);
      const first = operationOfAll(context, chosen);
      if (first && 'runAll' in first) return [await runTogether(context, client, first)];
      if (first && 'ask' in first) return askOnce(context, client, first);
      const listed = { bytes: 0 };
      return [
        await mapItemsAsync(context, async (_, index) =>
          runAlone(new ServiceItem(context, index, client, listed), chosen(index)),
        ),
      ];
    },
  };
}

/**
 * The first item's operation. `undefined` if it does not exist: the error belongs to that item
 * alone.
 */
function operationOfAll(
  context: ExecuteContext,
  chosen: (index: number) => LoneOperation | AnyOperation,
): LoneOperation | AnyOperation | undefined {
  if (context.items().length === 0) return undefined;
  try {
    return chosen(0);
  } catch {
    return undefined;
  }
}

/** The current versions' resources, then the earlier versions' resources. */
function tablesOf({ version, resources, initial, formerInitial, earlier }: ServiceSource): VersionedTables[] {
  if (!earlier) return [{ resources, initial, formerInitial }];
  const versions = [version].flat().filter((one) => !earlier.versions.includes(one));
  return [{ resources, initial, versions, formerInitial }, earlier];
}

function asks({ resources }: Tables): boolean {
  return Object.values(resources).some(({ operations }) => Object.values(operations).some((one) => 'ask' in one));
}

async function askOnce(context: ExecuteContext, client: ApiClient, { ask }: AskOperation): Promise<NodeOutput> {
  try {
    const item = new ServiceItem(context, 0, client);
    const question = questionOf(context, item.required('message'));
    await ask(item, question);
    context.suspend(question.suspension);
    return [];
  } catch (error) {
    return [[failureOfAllOrThrow(context, error)]];
  }
}

async function runAlone(item: ServiceItem, operation: LoneOperation | AnyOperation): Promise<Item[]> {
  if ('run' in operation) return toItems(await operation.run(item), item.index);
  if ('ask' in operation)
    throw item.error('only some items choose the operation "Send and Wait"', 'Choose the operation without an expression');
  const [produced] = await operation.runAll([item]);
  return toItems(produced, item.index);
}

async function runTogether(context: ExecuteContext, client: ApiClient, { runAll }: BatchOperation): Promise<Item[]> {
  try {
    const listed = { bytes: 0 };
    const produced = await runAll(context.items().map((_, index) => new ServiceItem(context, index, client, listed)));
    const outputs: Item[] = [];
    const slice = new TimeSlice();
    for (const [index, one] of produced.entries()) {
      if (slice.isOver) await slice.next();
      for (const item of await toItems(one, index)) outputs.push(item);
    }
    return outputs;
  } catch (error) {
    return [failureOfAllOrThrow(context, error)];
  }
}

function propertiesOf(tables: VersionedTables): NodeProperty[] {
  const { resources, versions: ofTables } = tables;
  return [
    ...resourceProperties(tables),
    ...Object.entries(resources).flatMap(([name, resource]) => [
      operationProperty(name, resource, resource.versions ?? ofTables),
      ...Object.entries(resource.operations).flatMap(([operation, { properties, versions = ofTables }]) =>
        properties.map((property) => shownFor(property, { resource: [name], operation: [operation], ...versioned(versions) })),
      ),
    ]),
  ];
}

function resourceProperties(tables: VersionedTables): NodeProperty[] {
  const { resources, formerInitial, versions } = tables;
  const kinds = Object.entries(resources).map(([value, { displayName }]) => ({ value, name: displayName }));
  const property = (defaultName: string, displayOptions: NodeProperty['displayOptions']): NodeProperty =>
    choice('resource', 'Resource', kinds, { default: defaultName, ...(displayOptions && { displayOptions }) });
  const display = versions && { show: versioned(versions) };
  if (!formerInitial) return [property(defaultResource(tables), display)];
  const former = versioned(formerInitial.versions);
  return [property(formerInitial.resource, { show: former }), property(defaultResource(tables), { ...display, hide: former })];
}

/** The default resource; without a version, the current versions' default. */
function defaultResource({ resources, initial, formerInitial }: Tables, version?: number): string {
  if (version !== undefined && formerInitial?.versions.includes(version)) return formerInitial.resource;
  return initial ?? Object.keys(resources)[0] ?? '';
}

function operationProperty(
  resource: string,
  { operations, initial }: Resource,
  versions: readonly number[] | undefined,
): NodeProperty {
  const all = Object.entries(operations).map(([value, { displayName: name, description }]) => ({ value, name, description }));
  return choice('operation', 'Operation', all, {
    default: initial ?? all[0]?.value ?? '',
    displayOptions: { show: { resource: [resource], ...versioned(versions) } },
  });
}

function versioned(versions: readonly number[] | undefined): Record<string, readonly JsonValue[]> {
  return versions ? { '@version': versions } : {};
}

/** A property with additional conditions; its own conditions take precedence. */
function shownFor(property: NodeProperty, show: Readonly<Record<string, readonly JsonValue[]>>): NodeProperty {
  const { displayOptions = {} } = property;
  return { ...property, displayOptions: { ...displayOptions, show: { ...show, ...displayOptions.show } } };
}

/** A property that is hidden while an operation without a resource is selected. */
function hiddenFor(property: NodeProperty, alone: readonly LoneOperation[]): NodeProperty {
  if (alone.length === 0) return property;
  const { displayOptions = {} } = property;
  const hide = Object.assign({}, ...alone.map(({ when }) => when), displayOptions.hide) as Record<string, readonly JsonValue[]>;
  return { ...property, displayOptions: { ...displayOptions, hide } };
}

function loneOperation(context: ExecuteContext, index: number, alone: readonly LoneOperation[]): LoneOperation | undefined {
  const valueFor = (name: string) => (name === '@version' ? context.typeVersion : context.parameter(name, index));
  return alone.find(({ when }) => Object.entries(when).every(([name, values]) => values.includes(valueFor(name) ?? null)));
}

function chosenOperation(context: ExecuteContext, index: number, tables: readonly VersionedTables[]): AnyOperation {
  const ofVersion = (tables.find(({ versions }) => versions?.includes(context.typeVersion)) ?? tables[0]) as VersionedTables;
  const { resources } = ofVersion;
  const fallback = defaultResource(ofVersion, context.typeVersion);
  const resource = resources[choiceParameter(context, 'resource', index, Object.keys(resources), fallback)] as Resource;
  const operations = Object.keys(resource.operations);
  const chosen = choiceParameter(context, 'operation', index, operations, resource.initial ?? operations[0] ?? '');
  return resource.operations[chosen] as AnyOperation;
}

/** In time slices: a list may have millions of elements. */
async function toItems(produced: Produced, index: number): Promise<Item[]> {
  if (produced === undefined || produced === null) return [];
  const list = Array.isArray(produced) ? (produced as readonly (JsonValue | FileItem)[]) : [produced as JsonValue | FileItem];
  return mapSliced(list, (one) => toItem(one, { item: index }));
}

function toItem(one: JsonValue | FileItem, pairedItem: { item: number }): Item {
  if (one instanceof FileItem) return { json: one.json, binary: one.binary, pairedItem };
  return { json: isJsonObject(one) ? one : { value: one }, pairedItem };
}

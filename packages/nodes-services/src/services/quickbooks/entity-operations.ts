import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Produced, Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { type Field, membersOf, propertyOf } from './entity-fields.ts';
import { linesOf } from './lines.ts';
import { queryOf, queryPages } from './quickbooks-client.ts';

type OperationName = 'create' | 'delete' | 'get' | 'getAll' | 'send' | 'update' | 'void';

/** A kind of API object. */
export interface Entity {
  /** In the API. */
  name: string;
  /** In messages, in paths, and in the name of the ID parameter. */
  what: string;
  /** Required parameters of a new object. */
  required?: readonly Field[];
  /** Optional members. */
  fields?: readonly Field[];
  lines?: { property: NodeProperty; kind: string };
  /** Whether updates send only the changed members; otherwise all members. Default: true. */
  isSparse?: boolean;
  hasPdf?: boolean;
  /** Query of a request that voids an object. */
  voids?: Readonly<Record<string, string>>;
  operations: readonly OperationName[];
}

/** The operations of an entity. */
export function entityResource(entity: Entity): Resource {
  const all = { create, delete: remove, get, getAll, send, update, void: makeVoid };
  const operations = Object.fromEntries(entity.operations.map((name) => [name, all[name](entity)]));
  return { displayName: entity.name, initial: 'get', operations };
}

const idName = ({ what }: Entity) => `${what}Id`;
const idProperty = (entity: Entity) => text(idName(entity), 'ID', `ID of the ${entity.what}`, { required: true });
const pathOf = (item: ServiceItem, entity: Entity) => `/${entity.what}/${encodeURIComponent(item.id(idName(entity)))}`;
const nameOf = ({ parameter, name }: Field) => parameter ?? name;

/** The object in a response. */
const inBody = (entity: Entity, body: JsonValue | undefined): JsonValue => objectOf(body)[entity.name] ?? body ?? null;

async function found(item: ServiceItem, entity: Entity): Promise<JsonObject> {
  return objectOf(inBody(entity, await item.send({ path: pathOf(item, entity) })));
}

function create(entity: Entity): Operation {
  const { what, required = [], fields = [], lines } = entity;
  return {
    displayName: 'Create',
    description: `Creates a ${what}`,
    properties: [
      ...required.map((one) => ({ ...propertyOf(one), required: true })),
      ...(lines ? [lines.property] : []),
      collection('additionalFields', 'Additional Fields', fields.map(propertyOf)),
    ],
    async run(item) {
      const own = Object.fromEntries(required.map((one) => [one.name, item.required(nameOf(one))]));
      const json = {
        ...membersOf(item, [...required, ...fields], { ...own, ...item.fields('additionalFields') }),
        ...(lines && { Line: linesOf(item, lines.kind) }),
      };
      return inBody(entity, await item.send({ path: `/${what}`, json: withCustomFields(json) }));
    },
  };
}

/** The API names them `CustomField`. */
function withCustomFields({ CustomFields, ...members }: JsonObject): JsonObject {
  return CustomFields === undefined ? members : { ...members, CustomField: CustomFields };
}

function update(entity: Entity): Operation {
  const { what, required = [], fields = [], lines, isSparse = true } = entity;
  const changeable = [...required.map(({ parameter: _, ...one }) => one), ...fields];
  return {
    displayName: 'Update',
    description: `Changes a ${what}`,
    properties: [
      idProperty(entity),
      ...(lines ? [lines.property] : []),
      collection('updateFields', 'Update Fields', changeable.map(propertyOf)),
    ],
    async run(item) {
      const before = await found(item, entity);
      const { Id = item.id(idName(entity)), SyncToken = '0' } = before;
      const newLines = lines ? linesOf(item, lines.kind) : [];
      const changes = {
        ...withCustomFields(membersOf(item, changeable, item.fields('updateFields'))),
        ...(newLines.length > 0 && { Line: newLines }),
      };
      const json = isSparse ? { Id, SyncToken, sparse: true, ...changes } : { ...before, ...changes, Id, SyncToken };
      return inBody(entity, await item.send({ path: `/${what}`, json }));
    },
  };
}

function get(entity: Entity): Operation {
  const isDownload = where({ download: [true] });
  const pdf = [
    toggle('download', 'Download', 'Whether to download the PDF instead of the data'),
    text('binaryProperty', 'Put Output File in Field', 'Property of the item that gets the file', {
      default: 'data',
      required: true,
      ...isDownload,
    }),
    text('fileName', 'File Name', 'Name of the file, without `.pdf`', isDownload),
  ];
  return {
    displayName: 'Get',
    description: `Gets a ${entity.what}`,
    properties: [idProperty(entity), ...(entity.hasPdf ? pdf : [])],
    run: (item) => (entity.hasPdf && item.toggle('download') ? download(item, entity) : found(item, entity)),
  };
}

function download(item: ServiceItem, entity: Entity): Promise<Produced> {
  const name = item.optional('fileName') ?? `${entity.what}-${item.id(idName(entity))}`;
  const request = { path: `${pathOf(item, entity)}/pdf`, headers: { accept: 'application/pdf' } };
  const file = { fileName: /\.pdf$/i.test(name) ? name : `${name}.pdf`, mimeType: 'application/pdf' };
  return item.download(request, {}, item.text('binaryProperty', 'data'), file);
}

function getAll(entity: Entity): Operation {
  return {
    displayName: 'Get Many',
    description: `Lists objects of the kind ${entity.name}`,
    properties: [
      ...listPropertiesOf(),
      collection('filters', 'Filters', [
        text('query', 'Query', 'Conditions and order, such as `WHERE Active = true ORDERBY MetaData.LastUpdatedTime`'),
      ]),
    ],
    run(item) {
      const limit = item.limit();
      const conditions = item.text('filters.query');
      const query = { query: queryOf(entity.name, conditions, 1, limit) };
      return item.list({ path: '/query', query }, queryPages(entity.name, conditions, limit), limit);
    },
  };
}

function send(entity: Entity): Operation {
  return {
    displayName: 'Send',
    description: `Sends a ${entity.what} by email`,
    properties: [idProperty(entity), text('email', 'Email', 'Address of the recipient', { required: true })],
    async run(item) {
      const request = { path: `${pathOf(item, entity)}/send`, query: { sendTo: item.required('email') } };
      const headers = { 'content-type': 'application/octet-stream' };
      return inBody(entity, await item.send({ method: 'POST', headers, ...request }));
    },
  };
}

function remove(entity: Entity): Operation {
  return {
    displayName: 'Delete',
    description: `Deletes a ${entity.what}`,
    properties: [idProperty(entity)],
    run: (item) => ended(item, entity, { operation: 'delete' }),
  };
}

function makeVoid(entity: Entity): Operation {
  return {
    displayName: 'Void',
    description: `Makes a ${entity.what} void; it is kept, with zero amounts`,
    properties: [idProperty(entity)],
    run: (item) => ended(item, entity, entity.voids ?? {}),
  };
}

/** Such requests must contain the object's latest version. */
async function ended(item: ServiceItem, entity: Entity, query: Readonly<Record<string, string>>): Promise<JsonValue> {
  const { Id = item.id(idName(entity)), SyncToken = '0' } = await found(item, entity);
  const json = { Id, SyncToken, ...(query['include'] === 'void' && { sparse: true }) };
  return inBody(entity, await item.send({ path: `/${entity.what}`, query, json }));
}

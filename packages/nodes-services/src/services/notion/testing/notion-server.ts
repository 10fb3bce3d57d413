import type { JsonObject } from '@sluice/node-sdk';
import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

export const databaseId = '0123456789abcdef0123456789abcdef';
export const pageId = 'fedcba9876543210fedcba9876543210';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const nullable = (schema: object) => ({ anyOf: [{ type: 'null' }, schema] });
const annotations = fields({ bold: flag, italic: flag, strikethrough: flag, underline: flag, code: flag, color: text });
const idObject = fields({ 'id!': text });
const dateValue = fields({ 'start!': { type: 'string', pattern: '^\\d{4}-' }, end: text, time_zone: text });
const richText = {
  type: 'array',
  maxItems: 100,
  items: {
    oneOf: [
      fields({
        'type!': { const: 'text' },
        'text!': fields({ 'content!': { type: 'string', maxLength: 2_000 }, link: fields({ 'url!': text }) }),
        annotations,
      }),
      fields({ 'type!': { const: 'equation' }, 'equation!': fields({ 'expression!': text }), annotations }),
      fields({
        'type!': { const: 'mention' },
        'mention!': fields({ 'type!': text, user: idObject, page: idObject, database: idObject, date: dateValue }),
        annotations,
      }),
    ],
  },
};
const option = { oneOf: [fields({ 'name!': text }), fields({ 'id!': text })] };
const external = fields({ 'url!': text });
const value = {
  oneOf: [
    fields({ 'title!': richText }),
    fields({ 'rich_text!': richText }),
    fields({ 'number!': nullable({ type: 'number' }) }),
    fields({ 'select!': nullable(option) }),
    fields({ 'status!': nullable(option) }),
    fields({ 'multi_select!': { type: 'array', items: option } }),
    fields({ 'date!': nullable(dateValue) }),
    fields({ 'people!': { type: 'array', items: fields({ 'object!': { const: 'user' }, 'id!': text }) } }),
    fields({ 'relation!': { type: 'array', items: idObject } }),
    fields({ 'checkbox!': flag }),
    fields({ 'url!': nullable(text) }),
    fields({ 'email!': nullable(text) }),
    fields({ 'phone_number!': nullable(text) }),
    fields({
      'files!': { type: 'array', items: fields({ 'name!': text, 'type!': { const: 'external' }, 'external!': external }) },
    }),
  ],
};
const properties = { type: 'object', additionalProperties: value };
const withText = fields({ 'rich_text!': richText, checked: flag, language: text });
const block = {
  type: 'object',
  required: ['object', 'type'],
  properties: {
    object: { const: 'block' },
    type: text,
    image: fields({ 'type!': { const: 'external' }, 'external!': external }),
    divider: fields({}),
    child_page: fields({ 'title!': text }),
  },
  additionalProperties: withText,
  minProperties: 3,
  maxProperties: 3,
};
const children = { type: 'array', minItems: 1, maxItems: 100, items: block };
const icon = {
  oneOf: [
    fields({ 'type!': { const: 'emoji' }, 'emoji!': text }),
    fields({ 'type!': { const: 'external' }, 'external!': external }),
  ],
};
const pageSize = { type: 'integer', minimum: 1, maximum: 100 };
const direction = { enum: ['ascending', 'descending'] };
const paged = fields({ page_size: { type: 'string', pattern: '^([1-9]\\d?|100)$' }, start_cursor: text });
const condition = { type: 'object', minProperties: 1, maxProperties: 1 };
const one = {
  type: 'object',
  required: ['property'],
  properties: { property: text },
  minProperties: 2,
  maxProperties: 2,
  additionalProperties: condition,
};
const byTime = fields({ 'timestamp!': text, created_time: condition, last_edited_time: condition });
const single = { anyOf: [one, byTime] };
const group = { type: 'array', minItems: 1, items: { anyOf: [single, fields({ and: {}, or: {} })] } };

const rich = (content: string) => [{ type: 'text', text: { content }, plain_text: content }];
const inDatabase = { type: 'database_id', database_id: databaseId };

/** A database page, with a property of most types. */
export const entry: JsonObject = {
  object: 'page',
  id: 'p1',
  created_time: '2026-01-01T10:00:00.000Z',
  last_edited_time: '2026-01-01T10:00:00.000Z',
  parent: inDatabase,
  url: 'https://www.notion.so/p1',
  icon: { type: 'emoji', emoji: '🌱' },
  cover: { type: 'external', external: { url: 'https://a.example/c.png' } },
  properties: {
    Name: { id: 'title', type: 'title', title: rich('Plan') },
    'Due Date': { type: 'date', date: { start: '2026-02-01', end: null, time_zone: null } },
    Status: { type: 'status', status: { id: '1', name: 'Done' } },
    Stage: { type: 'select', select: null },
    Tags: { type: 'multi_select', multi_select: [{ name: 'a' }, { name: 'b' }] },
    Notes: { type: 'rich_text', rich_text: [...rich('x'), ...rich('y')] },
    'Is HTML': { type: 'checkbox', checkbox: true },
    Owner: {
      type: 'people',
      people: [
        { id: 'u1', name: 'Ann', person: { email: 'a@a.test' } },
        { id: 'u2', name: 'Bot' },
      ],
    },
    Tasks: { type: 'relation', relation: [{ id: 'p2' }] },
    Files: {
      type: 'files',
      files: [
        { name: 'a', type: 'external', external: { url: 'https://a.example/a' } },
        { name: 'b', type: 'file', file: { url: 'https://b.example/b' } },
      ],
    },
    Score: { type: 'formula', formula: { type: 'number', number: 5 } },
    Sum: { type: 'rollup', rollup: { type: 'array', array: [{ type: 'number', number: 1 }] } },
    Total: { type: 'rollup', rollup: { type: 'number', number: 3 } },
    Key: { type: 'unique_id', unique_id: { prefix: 'T', number: 7 } },
    Author: { type: 'created_by', created_by: { id: 'u1', name: 'Ann' } },
    名前: { type: 'number', number: null },
  },
};
const page = {
  ...entry,
  id: 'p9',
  parent: { type: 'page_id', page_id: 'p8' },
  icon: null,
  cover: null,
  properties: { title: { id: 'title', type: 'title', title: rich('Home') } },
};
export const database = {
  object: 'database',
  id: databaseId,
  title: rich('Plans'),
  url: 'https://www.notion.so/db',
  icon: null,
  cover: null,
  properties: { Name: { id: 'title', type: 'title' }, 'Due Date': { id: 'd', type: 'date' } },
};
export const paragraph = {
  object: 'block',
  id: 'b1',
  parent: { type: 'page_id', page_id: pageId },
  has_children: true,
  archived: false,
  type: 'paragraph',
  paragraph: { rich_text: rich('Hello') },
};
export const todo = {
  ...paragraph,
  id: 'b2',
  has_children: false,
  type: 'to_do',
  to_do: { rich_text: rich('Do it'), checked: true },
};
export const image = {
  ...paragraph,
  id: 'b3',
  has_children: false,
  type: 'image',
  image: { type: 'external', external: { url: 'https://a.example/i.png' }, caption: rich('A') },
};
const person = { object: 'user', id: 'u1', name: 'Ann' };

const list = (results: unknown[], next?: string) => ({
  json: { object: 'list', results, has_more: next !== undefined, next_cursor: next ?? null },
});

/** https://developers.notion.com/reference (2022-06-28), for the token `secret1`. */
export function notionServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.notion.com',
    headers: { authorization: /^Bearer secret1$/, 'notion-version': /^2022-06-28$/ },
    routes: {
      'POST /v1/pages': {
        body: fields({
          'parent!': fields({ database_id: text, page_id: text }),
          'properties!': properties,
          children,
          icon,
        }),
        answer: ({ body }) => ({ json: 'page_id' in (body as { parent: object }).parent ? page : entry }),
      },
      'GET /v1/pages/:id': { answer: () => ({ json: entry }) },
      'PATCH /v1/pages/:id': { body: fields({ properties, icon, archived: flag }), answer: () => ({ json: entry }) },
      'GET /v1/databases/:id': { answer: () => ({ json: database }) },
      'POST /v1/databases/:id/query': {
        body: fields({
          filter: { anyOf: [single, fields({ 'or!': group }), fields({ 'and!': group })] },
          sorts: { type: 'array', items: fields({ property: text, timestamp: text, 'direction!': direction }) },
          page_size: pageSize,
          start_cursor: text,
        }),
        answer: () => list([entry]),
      },
      'POST /v1/search': {
        body: fields({
          query: text,
          filter: fields({ 'property!': { const: 'object' }, 'value!': { enum: ['page', 'database'] } }),
          sort: fields({ 'direction!': direction, 'timestamp!': { const: 'last_edited_time' } }),
          page_size: pageSize,
          start_cursor: text,
        }),
        answer: () => list([database, page]),
      },
      'GET /v1/blocks/:id/children': {
        query: paged,
        answer: ({ params }) => list(params['id'] === 'b1' ? [todo] : [paragraph, image]),
      },
      'PATCH /v1/blocks/:id/children': {
        body: fields({ 'children!': children }),
        answer: ({ body }) => list((body as { children: object[] }).children.map((child, id) => ({ id: `n${id}`, ...child }))),
      },
      'GET /v1/users': { query: paged, answer: () => list([person]) },
      'GET /v1/users/:id': { answer: () => ({ json: person }) },
    },
  });
}

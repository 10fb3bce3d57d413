import { describe, expect, test } from '@jest/globals';
import {
  type NodeProperty,
  type NodePropertyGroup,
  type NodePropertyOption,
  type NodeType,
  validateNodeType,
} from '@sluice/node-sdk';
import { baseNodeTypes } from './base-node-types.ts';
import { lazyNodeTypes } from './loading.ts';
import { createNodeTypeRegistry } from './node-type-registry.ts';
import { noOp } from './nodes/no-op/no-op.ts';

describe('node type registry', () => {
  const registry = createNodeTypeRegistry(baseNodeTypes);

  test.each([
    ['base.http-request', 'http-request'],
    ['n8n-nodes-base.httpRequest', 'http-request'],
    ['n8n-nodes-base.stopAndError', 'stop-and-error'],
    ['n8n-nodes-base.if', 'if'],
    ['n8n-nodes-base.noOp', 'no-op'],
    ['n8n-nodes-base.start', 'manual-trigger'],
    ['n8n-nodes-base.manualTrigger', 'manual-trigger'],
    ['n8n-nodes-base.function', 'function'],
    ['n8n-nodes-base.functionItem', 'function-item'],
    ['n8n-nodes-base.itemLists', 'item-lists'],
    ['n8n-nodes-base.htmlExtract', 'html-extract'],
    ['n8n-nodes-base.splitInBatches', 'split-in-batches'],
    ['n8n-nodes-base.dateTime', 'date-time'],
    ['n8n-nodes-base.switch', 'switch'],
    ['n8n-nodes-base.emailSend', 'send-email'],
    ['n8n-nodes-base.rssFeedRead', 'rss-feed-read'],
  ])('%s is %s', (identifier, name) => {
    expect(registry.find(identifier)?.description.name).toBe(name);
  });

  test('types that are loaded on first use include all types and their former names', () => {
    const names = baseNodeTypes.map(({ description }) => description.name);
    expect([...lazyNodeTypes.keys()].toSorted()).toEqual(names.toSorted());
    const lazy = createNodeTypeRegistry([], new Map(), lazyNodeTypes);
    expect(names.filter((name) => lazy.find(`base.${name}`)?.description.name !== name)).toEqual([]);
    expect(lazy.find('n8n-nodes-base.emailSend')).toBe(lazy.find('base.send-email'));
  });

  test.each(['http-request', 'base.httpRequest', 'base.constructor', '__proto__', ''])('there is no "%s"', (identifier) => {
    expect(registry.find(identifier)).toBeUndefined();
  });

  test('resolves a former name to the current type unless a type has that name', () => {
    const [first] = baseNodeTypes;
    const named = (name: string) => ({ description: { ...(first?.description as NodeType['description']), name } });
    const manual = named('manual-trigger');
    expect(createNodeTypeRegistry([manual]).find('n8n-nodes-base.start')).toBe(manual);
    const start = named('start');
    expect(createNodeTypeRegistry([manual, start]).find('n8n-nodes-base.start')).toBe(start);
  });

  test.each(['send-email', 'sendEmail'])('a replacement named %s replaces the built-in type under all its names', (name) => {
    const replacement = { description: { ...(noOp.description as NodeType['description']), name } };
    const replaced = createNodeTypeRegistry(baseNodeTypes, new Map(), new Map(), new Map([[name, replacement]]));
    for (const identifier of ['base.send-email', 'n8n-nodes-base.sendEmail', 'n8n-nodes-base.emailSend'])
      expect(replaced.find(identifier)).toBe(replacement);
    expect(replaced.find('base.no-op')).toBe(noOp);
  });

  test('a replacement without a built-in type of its name has no effect', () => {
    const replaced = createNodeTypeRegistry(baseNodeTypes, new Map(), new Map(), new Map([['shout', noOp]]));
    expect(['base.shout', 'n8n-nodes-base.shout'].map(replaced.find)).toEqual([undefined, undefined]);
  });

  test('finds types of other packages by their identifier, and never instead of a built-in type', () => {
    const [first, second] = baseNodeTypes as [NodeType, NodeType];
    const others = new Map([
      ['acme.shout', first],
      ['base.set', second],
    ]);
    const withOthers = createNodeTypeRegistry(baseNodeTypes, others);
    expect(withOthers.find('acme.shout')).toBe(first);
    expect(withOthers.find('base.set')?.description.name).toBe('set');
  });

  test('each name belongs to one type', () => {
    const [first] = baseNodeTypes;
    expect(() => createNodeTypeRegistry(first ? [first, first] : [])).toThrow('manual-trigger');
  });
});

describe.each(baseNodeTypes.map((type) => [type.description.name, type] as const))('description of %s', (_, type) => {
  const { description, execute, poll } = type;
  const properties = description.properties.flatMap(withInner);

  test('is a valid name for a type of any package', () => {
    expect(validateNodeType(type)).toEqual([]);
  });

  test('is complete and describes the node', () => {
    expect(description.name).toMatch(/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/);
    expect(description.description).not.toBe('');
    expect(execute ?? poll).toBeDefined();
  });

  test('choices have options that include their default', () => {
    for (const property of properties.filter(({ type, default: value }) => type === 'options' && value !== '')) {
      const values = (property.options as NodePropertyOption[] | undefined)?.map(({ value }) => value);
      expect([property.name, values]).toEqual([property.name, expect.arrayContaining([property.default])]);
    }
  });

  test('display conditions refer to existing properties', () => {
    const names = new Set(['@version', ...properties.map(({ name }) => name)]);
    const conditions = properties.flatMap(({ displayOptions = {} }) =>
      Object.keys({ ...displayOptions.show, ...displayOptions.hide }),
    );
    expect(conditions.filter((name) => !names.has(name.replace(/^\//, '')))).toEqual([]);
  });
});

function withInner(property: NodeProperty): NodeProperty[] {
  const inner = (property.options ?? []).flatMap((option: NodePropertyOption | NodeProperty | NodePropertyGroup) =>
    'values' in option ? option.values : 'type' in option ? [option] : [],
  );
  return [property, ...inner.flatMap(withInner)];
}

describe('types that are loaded on first use', () => {
  const type: NodeType = { ...noOp, description: { ...noOp.description, name: 'late-one' } };
  let loads = 0;
  const load = () => {
    loads += 1;
    return type;
  };

  test('are found under both names, and not loaded earlier', () => {
    const registry = createNodeTypeRegistry([noOp], new Map(), new Map([['late-one', load]]));
    expect([registry.find('base.no-op'), loads]).toEqual([noOp, 0]);
    expect(registry.find('base.late-one')).toBe(type);
    expect(registry.find('n8n-nodes-base.lateOne')).toBe(type);
  });

  test('cannot take the name of another type', () => {
    const late = ['late-one', load] as const;
    for (const [types, lazy] of [[[type], [late]] as const, [[], [late, late]] as const])
      expect(() => createNodeTypeRegistry(types, new Map(), lazy)).toThrow('two node types have the name late-one');
  });
});

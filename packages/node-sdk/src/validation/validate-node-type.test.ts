import { describe, expect, test } from '@jest/globals';
import type { NodeType } from '../node-type.ts';
import { issueText, validateNodeType } from './validate-node-type.ts';

const description: NodeType['description'] = {
  displayName: 'Shout',
  name: 'shout',
  group: ['transform'],
  version: [1, 2],
  description: '',
  defaults: { name: 'Shout' },
  inputs: ['main'],
  outputs: ['main'],
  properties: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
};
const execute = () => [];
const webhook = { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'hooks/:id' };

const withDescription = (changes: object) =>
  issueText(validateNodeType({ description: { ...description, ...changes }, execute }));
const withProperty = (changes: object) =>
  withDescription({ properties: [{ displayName: 'A', name: 'a', type: 'string', default: '', ...changes }] });

describe('a node type', () => {
  test('with every member of the contract is valid', () => {
    const never = async () => true;
    const complete = {
      description: {
        ...description,
        defaultVersion: 2,
        icon: 'file:shout.svg',
        iconColor: 'red',
        subtitle: '={{ $parameter.text }}',
        credentials: [{ name: 'acmeApi', required: true, displayOptions: { show: { text: ['a'] } } }],
        maxNodes: 1,
        requiredInputs: 'all',
        polling: true,
        computesOnly: false,
        deprecated: false,
        webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'hook' }],
        hooks: { activate: [{ method: 'POST', request: { url: '/' } }], deactivate: [] },
        features: { newForm: { '@version': [2] }, always: true },
      },
      execute,
      unsupported: [{ parameter: 'mode', values: ['sql'], where: { resource: ['row'] }, what: 'SQL', hint: 'Use fields' }],
      poll: async () => null,
      methods: { loadOptions: { list: async () => [] }, credentialTest: {} },
      webhookMethods: { default: { checkExists: never, create: never, delete: never } },
    };
    expect(validateNodeType(complete)).toEqual([]);
  });

  test.each([undefined, null, [], 'shout', 1])('is not a valid type: %p', (value) => {
    expect(validateNodeType(value)).toEqual([{ path: '/', message: 'must be an object' }]);
  });

  test('without any function is rejected', () => {
    expect(issueText(validateNodeType({ description }))).toMatch(/^\/ must have one of execute, /);
    expect(issueText(validateNodeType({ description, execute: 'x' }))).toBe('/execute must be a function');
  });

  test('must declare unsupported uses completely', () => {
    const issues = validateNodeType({ description, execute, unsupported: [{ parameter: 'mode', values: 'sql' }] });
    expect(issues.map(({ path }) => path)).toEqual(['/unsupported/0/what', '/unsupported/0/hint', '/unsupported/0/values']);
  });

  test('reports each missing member that the contract requires', () => {
    const paths = validateNodeType({ description: {}, execute }).map(({ path }) => path);
    const required = ['displayName', 'name', 'group', 'version', 'inputs', 'outputs', 'properties'];
    expect(paths).toEqual(required.map((name) => `/description/${name}`));
  });

  test.each<[object, RegExp]>([
    [{ name: 'ShoutNode' }, /^\/description\/name must be a name in kebab-case/],
    [{ displayName: '' }, /^\/description\/displayName must be a string that is not empty$/],
    [{ group: ['magic'] }, /^\/description\/group\/0 must be one of input, output, /],
    [{ group: [] }, /^\/description\/group must not be empty$/],
    [{ version: 0 }, /^\/description\/version must be a number above 0/],
    [{ version: [1, '2'] }, /^\/description\/version /],
    [{ version: Number.POSITIVE_INFINITY }, /^\/description\/version must be a number above 0/],
    [{ version: [] }, /^\/description\/version /],
    [{ version: [1, 1] }, /^\/description\/version must not list a version twice$/],
    [{ defaultVersion: 3 }, /^\/description\/defaultVersion must be one of the versions$/],
    [{ defaults: {} }, /^\/description\/defaults\/name /],
    [{ inputs: ['water'] }, /^\/description\/inputs\/0 must be one of main, /],
    [{ outputs: 'main' }, /^\/description\/outputs must be an array$/],
    [{ icon: 'shout.png' }, /^\/description\/icon must be fa:<name>, /],
    [{ iconColor: 'pink' }, /^\/description\/iconColor must be one of gray, /],
    [{ maxNodes: 0 }, /^\/description\/maxNodes must be a whole number of 1 or more$/],
    [{ deprecated: 'yes' }, /^\/description\/deprecated must be true or false$/],
    [{ computesOnly: 1 }, /^\/description\/computesOnly must be true or false$/],
    [{ polling: 'yes' }, /^\/description\/polling must be true or false$/],
    [{ polling: true }, /^\/poll is missing/],
    [{ credentials: [{}] }, /^\/description\/credentials\/0\/name /],
    [{ credentials: [{ name: 'a', testedBy: 5 }] }, /^\/description\/credentials\/0\/testedBy must be a string/],
    [{ webhooks: [{ ...webhook, name: 5 }] }, /^\/description\/webhooks\/0\/name must be a string/],
    [{ webhooks: [{ ...webhook, httpMethod: 'BREW' }] }, /^\/description\/webhooks\/0\/httpMethod must be one of/],
    [{ webhooks: [{ ...webhook, responseMode: 'never' }] }, /^\/description\/webhooks\/0\/responseMode must be one of/],
    [{ webhooks: [{ ...webhook, path: '../../x' }] }, /^\/description\/webhooks\/0\/path must be words/],
    [{ webhooks: [{ ...webhook, path: ':id', isFullPath: true }] }, /^\/description\/webhooks\/0\/path must be words/],
    [{ hooks: { activate: [{}] } }, /^\/description\/hooks\/activate\/0\/method /],
    [{ hooks: { activate: [{ method: 'GET', request: { url: 5 } }] } }, /\/activate\/0\/request\/url must be a string$/],
    [{ features: { a: { '@version': [] } } }, /^\/description\/features\/a\/@version must not be empty$/],
  ])('described by %j is rejected, naming the field', (changes, message) => {
    expect(withDescription(changes)).toMatch(message);
  });

  test.each<[object, RegExp]>([
    [{ type: 'text' }, /^\/description\/properties\/0\/type must be one of string, /],
    [{ name: '' }, /\/0\/name /],
    [{ name: '__proto__' }, /\/0\/name must be a string that is not empty, and not __proto__$/],
    [
      { type: 'fixedCollection', options: [{ name: '__proto__', displayName: 'X', values: [] }] },
      /\/0\/options\/0\/name must be a string that /,
    ],
    [{ default: undefined }, /\/0\/default is missing$/],
    [{ required: 1 }, /\/0\/required must be true or false$/],
    [{ displayOptions: { hide: { a: [{ _cnd: { regex: '(' } }] } } }, /\/displayOptions\/hide\/a\/0 must be a regular expr/],
    [{ displayOptions: { show: { a: 1 } } }, /\/0\/displayOptions\/show\/a must be an array$/],
    [{ type: 'options' }, /\/0\/options must be an array$/],
    [{ type: 'options', options: [{ name: 'A', value: null }] }, /\/0\/options\/0\/value must be a string, a number/],
    [
      { type: 'collection', options: [{ name: 'x' }] },
      /\/0\/options\/0\/displayName .*\/0\/options\/0\/type .*\/0\/options\/0\/default/,
    ],
    [
      { type: 'fixedCollection', options: [{ name: 'x', displayName: 'X', values: [{ name: 'y' }] }] },
      /\/0\/options\/0\/values\/0\/displayName /,
    ],
  ])('with a parameter like %j is rejected, naming the field', (changes, message) => {
    expect(withProperty(changes)).toMatch(message);
  });

  test('can load options', () => {
    expect(withProperty({ type: 'options', typeOptions: { loadOptionsMethod: 'list' } })).toBe('');
  });

  test('reports references to missing members', () => {
    const calls = { checkExists: () => true, create: () => true, delete: () => true };
    const of = (changes: object, more: object) =>
      validateNodeType({ execute, ...more, description: { ...description, ...changes } });
    expect(of({ webhooks: [webhook] }, { webhook: () => ({}), webhookMethods: { default: calls } })).toEqual([]);
    const paths = (issues: { path: string }[]) => issues.map(({ path }) => path);
    expect(paths(of({}, { webhook: () => ({}) }))).toEqual(['/description/webhooks']);
    expect(paths(of({ webhooks: [webhook, webhook] }, {}))).toEqual(['/description/webhooks']);
    expect(paths(of({ webhooks: [webhook] }, { webhookMethods: { setup: calls } }))).toEqual(['/webhookMethods/setup']);
    expect(paths(of({ credentials: [{ name: 'a', testedBy: 'b' }] }, {}))).toEqual(['/description/credentials/0/testedBy']);
  });

  test('can define webhooks with expressions', () => {
    const text = '={{ $parameter.a }}';
    expect(withDescription({ webhooks: [{ name: 'default', httpMethod: text, responseMode: text, path: text }] })).toBe('');
  });

  test('reports problems with the type as a tool', () => {
    const asTool = { properties: [{ displayName: 'A', name: 'a', type: 'nope', default: '' }], execute: 'x' };
    const issues = validateNodeType({ description, execute, asTool });
    expect(issues.map(({ path }) => path)).toEqual(['/asTool/properties/0/type', '/asTool/execute']);
    expect(validateNodeType({ description, execute, asTool: { properties: [] } })).toEqual([]);
  });

  test('reports methods of an unknown kind', () => {
    const issues = validateNodeType({ description, execute, methods: { nope: {}, loadOptions: { list: 'x' } } });
    expect(issues.map(({ path }) => path)).toEqual(['/methods/nope', '/methods/loadOptions/list']);
  });

  test.each([[1000], [[1, 20_250_101]]])('accepts the version %j', (version) => {
    expect(validateNodeType({ description: { ...description, version }, execute })).toEqual([]);
  });

  test('reports versions that are incomplete or contradictory', () => {
    const one = { description: { ...description, version: 1 }, execute };
    expect(issueText(validateNodeType({ description, versions: { 1: one } }))).toBe(
      '/versions/2 is missing: the description lists this version',
    );
    expect(issueText(validateNodeType({ description, versions: null }))).toMatch(/^\/versions must be an object/);
    expect(issueText(validateNodeType({ description, versions: { 1: one, 2: one } }))).toBe(
      '/versions/2/description/version must name the version 2 that it implements',
    );
  });
});

import { type ExecuteContext, type Item, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { choiceParameter, requiredText, textParameter, unsupported } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { cryptoProperties } from './crypto-properties.ts';
import { hash, hmac, sign } from './digests.ts';
import { randomText } from './random-text.ts';

/** Version 1 has its secrets in parameters, version 2 in a credential. */
export const crypto: NodeType = {
  description: {
    displayName: 'Crypto',
    name: 'crypto',
    group: ['transform'],
    version: [1, 2],
    description: 'Hashes, signs and makes random text',
    defaults: { name: 'Crypto' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'crypto' }],
    properties: cryptoProperties,
    icon: 'fa:key',
    iconColor: 'green',
    subtitle: '={{ $parameter["action"] }}',
  },
  async execute(context) {
    const results: Item[] = [];
    for (const [itemIndex, item] of context.items().entries()) {
      try {
        results.push(await withResult(context, item, itemIndex));
      } catch (error) {
        results.push(failedOrThrow(context, itemIndex, error));
      }
    }
    return [results];
  },
};

async function withResult(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item> {
  const path = parseFieldPath(textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data');
  const json = withField(item.json, path, await resultOf(context, itemIndex));
  return { ...item, json, pairedItem: { item: itemIndex } };
}

const actions = ['decrypt', 'encrypt', 'generate', 'hash', 'hmac', 'sign'] as const;

async function resultOf(context: ExecuteContext, itemIndex: number): Promise<string> {
  const input = { context, itemIndex };
  switch (choiceParameter(context, 'action', itemIndex, actions, 'hash')) {
    case 'generate':
      return randomText(context, itemIndex);
    case 'hash':
      return hash(input);
    case 'hmac':
      return hmac(input, await secretOf(context, itemIndex, 'secret', 'hmacSecret'));
    case 'sign':
      return sign(input, await secretOf(context, itemIndex, 'privateKey', 'signPrivateKey'));
    case 'encrypt':
    case 'decrypt':
      throw unsupported('encryption in the Crypto node', 'Encrypt where the data are used', itemIndex);
  }
}

async function secretOf(context: ExecuteContext, itemIndex: number, parameter: string, field: string): Promise<string> {
  if (context.typeVersion < 2) return requiredText(context, parameter, itemIndex);
  const secret = (await context.credentials('crypto', itemIndex))[field];
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new NodeOperationError(`the credential has no "${field}"`, { itemIndex });
}

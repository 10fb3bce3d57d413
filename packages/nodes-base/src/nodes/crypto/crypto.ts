import { type ExecuteContext, errorObject, failedItem, type Item, type NodeType } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { when } from '../../shared/properties.ts';
import { ResultGrowth } from '../../shared/result-growth.ts';
import { type CryptoInput, secretOf } from './crypto-input.ts';
import { cryptoProperties } from './crypto-properties.ts';
import { hash, hmac, sign } from './digests.ts';
import { decrypt, encrypt } from './encryption.ts';
import { PassphraseCipher } from './passphrase-cipher.ts';
import { randomText } from './random-text.ts';

type Step = (item: Item, itemIndex: number) => Promise<Item>;

/** Version 1 reads its secrets from parameters, version 2 from a credential. */
export const crypto: NodeType = {
  description: {
    displayName: 'Crypto',
    name: 'crypto',
    group: ['transform'],
    version: [1, 2],
    description: 'Hashes, signs, and encrypts data, and generates random text',
    defaults: { name: 'Crypto' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    credentials: [{ name: 'crypto', ...when([2], { action: ['decrypt', 'encrypt', 'hmac', 'sign'] }) }],
    properties: cryptoProperties,
    icon: 'fa:key',
    iconColor: 'green',
    subtitle: '={{ $parameter["action"] }}',
  },
  async execute(context) {
    const cipher = new PassphraseCipher();
    const growth = new ResultGrowth(context.items());
    const step = async (item: Item, itemIndex: number) => {
      const result = await withResult({ context, itemIndex }, item, cipher);
      growth.add(result, itemIndex);
      return result;
    };
    return [await mapItemsAsync(context, context.typeVersion < 2 ? step : withErrorObject(context, step))];
  },
};

/** From version 2 on, a failed item's `error` is an object with `message` and `name`. */
function withErrorObject({ continueOnFail, signal }: ExecuteContext, step: Step): Step {
  return (item, itemIndex) =>
    step(item, itemIndex).catch((error: unknown) => {
      if (!continueOnFail || signal.aborted) throw error;
      return failedItem(error, itemIndex, errorObject(error));
    });
}

/** A dot in the field name is part of the name. */
async function withResult(input: CryptoInput, item: Item, cipher: PassphraseCipher): Promise<Item> {
  const { context, itemIndex } = input;
  const json = { ...item.json };
  setOwn(json, requiredText(context, 'dataPropertyName', itemIndex, 'data'), await resultOf(input, cipher));
  return { ...item, json, pairedItem: { item: itemIndex } };
}

const firstActions = ['generate', 'hash', 'hmac', 'sign'] as const;
const actions = [...firstActions, 'encrypt', 'decrypt'] as const;

async function resultOf(input: CryptoInput, cipher: PassphraseCipher): Promise<string> {
  switch (actionOf(input)) {
    case 'generate':
      return randomText(input.context, input.itemIndex);
    case 'hash':
      return hash(input);
    case 'hmac':
      return hmac(input, await secretOf(input, 'secret', 'hmacSecret'));
    case 'sign':
      return sign(input, await secretOf(input, 'privateKey', 'signPrivateKey'));
    case 'encrypt':
      return encrypt(input, cipher);
    case 'decrypt':
      return decrypt(input, cipher);
  }
}

function actionOf({ context, itemIndex }: CryptoInput): (typeof actions)[number] {
  const allowedActions: readonly (typeof actions)[number][] = context.typeVersion < 2 ? firstActions : actions;
  return choiceParameter(context, 'action', itemIndex, allowedActions, 'hash');
}

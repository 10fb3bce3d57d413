import type { ExecuteContext, JsonObject, NodeType } from '@sluice/node-sdk';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { jwtProperties } from './jwt-properties.ts';
import { readToken } from './read-token.ts';
import { signToken } from './sign-token.ts';
import { verifyToken } from './verify-token.ts';

/** Creates, verifies, and reads JSON Web Tokens (RFC 7519) with a credential's key. */
export const jwt: NodeType = {
  description: {
    displayName: 'JWT',
    name: 'jwt',
    group: ['transform'],
    version: 1,
    description: 'Signs, verifies, and decodes JSON Web Tokens',
    defaults: { name: 'JWT' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    credentials: [{ name: 'jwtAuth', required: true }],
    properties: jwtProperties,
    icon: 'fa:key',
    iconColor: 'orange',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const step = async (_: unknown, itemIndex: number) => ({
      json: await resultOf(context, itemIndex),
      pairedItem: { item: itemIndex },
    });
    return [await mapItemsAsync(context, step)];
  },
};

async function resultOf(context: ExecuteContext, itemIndex: number): Promise<JsonObject> {
  const operation = choiceParameter(context, 'operation', itemIndex, ['sign', 'verify', 'decode'], 'sign');
  if (operation === 'sign') return { token: await signToken(context, itemIndex) };
  const token = requiredText(context, 'token', itemIndex).trim();
  if (operation === 'verify') await verifyToken(context, token, itemIndex);
  const { header, payload, signature } = readToken(token, itemIndex);
  const isComplete = context.parameter<boolean>('options.complete', itemIndex, false) === true;
  return isComplete ? { header, payload, signature } : { payload };
}

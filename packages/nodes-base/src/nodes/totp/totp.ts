import { credentialText, type ExecuteContext, type JsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { between, choice, choices, number, options } from '../../shared/properties.ts';
import { wholeNumber } from '../../shared/whole-number.ts';

const algorithms = ['SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA3-224', 'SHA3-256', 'SHA3-384', 'SHA3-512'] as const;

/** Generates time-based one-time passwords (RFC 6238) with a credential's secret. */
export const totp: NodeType = {
  description: {
    displayName: 'TOTP',
    name: 'totp',
    group: ['transform'],
    version: 1,
    description: 'Generates a time-based one-time password',
    defaults: { name: 'TOTP' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    credentials: [{ name: 'totpApi', required: true }],
    properties: [
      choice('operation', 'Operation', choices(['generateSecret', 'Generate Secret', 'Generates a one-time password'])),
      options([
        choice('algorithm', 'Algorithm', choices(...algorithms.map((name): [string, string] => [name, name])), {
          description: 'The hash algorithm of the HMAC',
        }),
        between(1, 10, number('digits', 'Digits', 6, 'Digits of the password')),
        between(1, 86_400, number('period', 'Period', 30, 'Seconds for which a password is valid')),
      ]),
    ],
    icon: 'fa:fingerprint',
  },
  async execute(context) {
    const step = async (_: unknown, itemIndex: number) => ({
      json: await passwordOf(context, itemIndex),
      pairedItem: { item: itemIndex },
    });
    return [await mapItemsAsync(context, step)];
  },
};

async function passwordOf(context: ExecuteContext, itemIndex: number): Promise<JsonObject> {
  choiceParameter(context, 'operation', itemIndex, ['generateSecret'], 'generateSecret');
  const { Secret, TOTP } = await import('otpauth');
  const algorithm = choiceParameter(context, 'options.algorithm', itemIndex, algorithms, 'SHA1');
  const digits = wholeNumber(context, 'options.digits', 6, { from: 1, to: 10 }, itemIndex);
  const period = wholeNumber(context, 'options.period', 30, { from: 1, to: 86_400 }, itemIndex);
  const secret = secretOf(Secret, credentialText(await context.credentials('totpApi', itemIndex), 'secret'), itemIndex);
  const timestamp = Date.now();
  const token = new TOTP({ secret, algorithm, digits, period }).generate({ timestamp });
  return { token, secondsRemaining: Math.floor(period - ((timestamp / 1000) % period)) };
}

function secretOf<T>({ fromBase32 }: { fromBase32(text: string): T }, text: string, itemIndex: number): T {
  try {
    return fromBase32(text.replace(/\s/g, ''));
  } catch (cause) {
    throw new NodeOperationError('the secret of the credential is not valid Base32', {
      itemIndex,
      description: 'Copy the secret from the service again: letters A to Z and digits 2 to 7',
      cause,
    });
  }
}

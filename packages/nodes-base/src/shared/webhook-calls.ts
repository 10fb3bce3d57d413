import { BlockList, isIP } from 'node:net';
import { type CallAuthentication, NodeOperationError, ownProperty, type WorkflowNode } from '@sluice/node-sdk';
import { listParameter, namesParameter, type ParameterSource } from './parameters.ts';

/* What nodes that are called over HTTP say of calls and answers. */

export const callMethods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

const credentialTypes = {
  basicAuth: 'httpBasicAuth',
  headerAuth: 'httpHeaderAuth',
  jwtAuth: 'jwtAuth',
  signature: 'webhookSignature',
} as const;

/** The credential that calls have to match. Throws `CREDENTIAL_NOT_SET`: without it, nobody could be let in. */
export function callAuthentication(
  node: Pick<WorkflowNode, 'credentials'>,
  kind: keyof typeof credentialTypes | 'none',
): CallAuthentication | undefined {
  if (kind === 'none') return undefined;
  const type = credentialTypes[kind];
  const credentialId = ownProperty(node.credentials ?? {}, type)?.id;
  if (typeof credentialId === 'string' && credentialId !== '') return { type, credentialId };
  throw new NodeOperationError(
    `the node names no credential of type "${type}"`,
    { description: 'Choose a credential, or switch authentication off' },
    'CREDENTIAL_NOT_SET',
  );
}

/** Each one checked: a list that meant nobody, or everybody, must not come from a typing error. */
export function allowedAddresses(source: ParameterSource): string[] {
  const addresses = namesParameter(source, 'options.ipWhitelist', 0);
  for (const address of addresses) {
    const [ip = '', bits, ...more] = address.split('/');
    const family = isIP(ip);
    if (family === 0 || more.length > 0 || (bits !== undefined && !isPrefix(ip, bits, family)))
      throw new NodeOperationError(
        `the option "ipWhitelist" has to hold addresses and networks, and has "${address.slice(0, 50)}"`,
        { description: 'Write addresses such as 10.1.2.3 or networks such as 10.0.0.0/8, separated by commas' },
      );
  }
  return addresses;
}

/** Headers of an answer. What a header cannot hold becomes a blank. */
export function headersParameter(source: ParameterSource, path: string, itemIndex = 0): Record<string, string> {
  const headers = listParameter(source, path, itemIndex).map(({ name, value }) => {
    if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new NodeOperationError('each response header needs a name of letters, digits and dashes', {
        itemIndex,
        description: 'Check the names of the headers',
      });
    return [name, String(value ?? '').replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')] as const;
  });
  return Object.fromEntries(headers);
}

/** The status of an answer. 1xx are no answers. */
export function statusOf(status: number, parameter: string): number {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new NodeOperationError(`the parameter "${parameter}" has to be a status from 200 to 599`, {
    description: 'Give a status such as 200 or 404',
  });
}

function isPrefix(ip: string, bits: string, family: number): boolean {
  if (!/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(ip, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

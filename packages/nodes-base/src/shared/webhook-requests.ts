import { BlockList, isIP } from 'node:net';
import {
  NodeOperationError,
  ownProperty,
  type RequestAuthentication,
  type ResponseHeaders,
  type WorkflowNode,
} from '@sluice/node-sdk';
import { coercedText } from './coerced-text.ts';
import { type GuardSource, guardNames } from './guards.ts';
import { listParameter, type ParameterSource } from './parameters.ts';

/* Settings for requests and responses of nodes that receive HTTP requests. */

export const requestMethods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

const credentialTypes = {
  basicAuth: 'httpBasicAuth',
  bearerAuth: 'httpBearerAuth',
  headerAuth: 'httpHeaderAuth',
  jwtAuth: 'jwtAuth',
  signature: 'webhookSignature',
} as const;

/**
 * The credential that requests must match. Throws `CREDENTIAL_NOT_SET`: without a credential, no
 * request could match.
 */
export function webhookAuthentication(
  node: Pick<WorkflowNode, 'credentials'>,
  kind: keyof typeof credentialTypes | 'none',
): RequestAuthentication | undefined {
  if (kind === 'none') return undefined;
  const type = credentialTypes[kind];
  const credentialId = ownProperty(node.credentials ?? {}, type)?.id;
  if (typeof credentialId === 'string' && credentialId !== '') return { type, credentialId };
  throw new NodeOperationError(
    `the node has no credential of type "${type}"`,
    { description: 'Choose a credential, or switch authentication off' },
    'CREDENTIAL_NOT_SET',
  );
}

/** Maximum number: each request's address is compared with all of them before authentication. */
const maxAddresses = 2_000;

/** Validates each address, so that a typing error cannot allow no sender, or all senders. */
export function allowedAddresses(source: GuardSource): string[] {
  const addresses = guardNames(source, 'options.ipWhitelist');
  if (addresses.length > maxAddresses)
    throw new NodeOperationError(`the option "ipWhitelist" contains more than ${maxAddresses} addresses and networks`, {
      description: 'Combine addresses into networks such as 10.0.0.0/8',
    });
  for (const address of addresses) {
    const [ip = '', bits, ...more] = address.split('/');
    const family = isIP(ip);
    if (family === 0 || more.length > 0 || (bits !== undefined && !isPrefix(ip, bits, family)))
      throw new NodeOperationError(
        `the option "ipWhitelist" must contain addresses and networks, but has "${address.slice(0, 50)}"`,
        { description: 'Use addresses such as 10.1.2.3 or networks such as 10.0.0.0/8, separated by commas' },
      );
  }
  return addresses;
}

/**
 * Response headers. Names that differ only in case form one list. Invalid characters become spaces.
 */
export function headersParameter(source: ParameterSource, path: string, itemIndex = 0): ResponseHeaders {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const { name, value } of listParameter(source, path, itemIndex)) {
    if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new NodeOperationError('each response header needs a name of letters, digits, and dashes', {
        itemIndex,
        description: 'Check the names of the headers',
      });
    const text = coercedText(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
    const header = headers.get(name.toLowerCase());
    if (header) header.values.push(text);
    else headers.set(name.toLowerCase(), { name, values: [text] });
  }
  return Object.fromEntries(
    [...headers.values()].map(({ name, values }) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
}

/** A response's status. 1xx statuses are not final. */
export function statusOf(status: number, parameter: string): number {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new NodeOperationError(`the parameter "${parameter}" must be a status from 200 to 599`, {
    description: 'Use a status such as 200 or 404',
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

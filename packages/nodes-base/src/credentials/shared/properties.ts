import type { JsonValue, NodeProperty } from '@sluice/node-sdk';

type Show = Record<string, readonly JsonValue[]>;

interface More {
  initial?: string;
  description?: string;
  required?: boolean;
  show?: Show;
  /**
   * A change of this field does not change the destination of secrets, so stored secrets are kept.
   */
  keepsSecrets?: true;
  /**
   * The field limits the trusted servers: after a change, or without a value, secrets would reach
   * other servers.
   */
  pinsDestination?: true;
}

const rest = ({ description, required, show, keepsSecrets, pinsDestination }: More): Partial<NodeProperty> => ({
  ...(description !== undefined && { description }),
  ...(required && { required }),
  ...(show && { displayOptions: { show } }),
  ...((keepsSecrets || pinsDestination) && {
    typeOptions: { ...(keepsSecrets && { keepsSecrets }), ...(pinsDestination && { pinsDestination }) },
  }),
});

export function text(name: string, displayName: string, more: More = {}): NodeProperty {
  return { displayName, name, type: 'string', default: more.initial ?? '', ...rest(more) };
}

/** A text field that is never shown. */
export function secret(name: string, displayName: string, more: More = {}): NodeProperty {
  const { typeOptions, ...property } = text(name, displayName, more);
  return { ...property, typeOptions: { ...typeOptions, password: true } };
}

/** A multiline secret, such as a PEM key. */
export function secretBlock(name: string, displayName: string, more: More = {}): NodeProperty {
  const { typeOptions, ...property } = secret(name, displayName, more);
  return { ...property, typeOptions: { ...typeOptions, rows: 4 } };
}

/** A JSON field; its value is text or an object. */
export function json(name: string, displayName: string, more: More = {}): NodeProperty {
  return { displayName, name, type: 'json', default: more.initial ?? '', ...rest(more) };
}

export function flag(
  name: string,
  displayName: string,
  more: Omit<More, 'initial'> & { initial?: boolean } = {},
): NodeProperty {
  const { initial = false, ...others } = more;
  return { displayName, name, type: 'boolean', default: initial, ...rest(others) };
}

export function wholeNumber(
  name: string,
  displayName: string,
  initial: number,
  [minValue, maxValue]: [number, number],
  more: Omit<More, 'initial'> = {},
): NodeProperty {
  const typeOptions = { minValue, maxValue, numberPrecision: 0 };
  return { displayName, name, type: 'number', default: initial, typeOptions, ...rest(more) };
}

export function port(initial: number, more: Omit<More, 'initial'> = {}): NodeProperty {
  return wholeNumber('port', 'Port', initial, [1, 65_535], more);
}

/** A choice of values; the first is the default. */
export function choice(
  name: string,
  displayName: string,
  values: readonly (readonly [value: string, name: string])[],
  more: More = {},
): NodeProperty {
  const options = values.map(([value, label]) => ({ value, name: label }));
  return { displayName, name, type: 'options', default: more.initial ?? values[0]?.[0] ?? '', options, ...rest(more) };
}

/** The token from the service; written by the server, not by users. */
export const oauthTokenData: NodeProperty = {
  displayName: 'Token',
  name: 'oauthTokenData',
  type: 'hidden',
  default: {},
  typeOptions: { password: true },
};

/** URL for testing types without a service of their own. */
export const testUrl: NodeProperty = text('testUrl', 'Test URL', {
  description: 'URL that the credential test requests; a GET must return 2xx only with this credential',
});

export const allowUnauthorizedCerts: NodeProperty = flag('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', {
  description: 'Whether to accept any certificate. Others may then be able to read the traffic',
});

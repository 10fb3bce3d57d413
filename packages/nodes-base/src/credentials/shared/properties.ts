import type { JsonValue, NodeProperty } from '@sluice/node-sdk';

type Show = Record<string, readonly JsonValue[]>;

interface More {
  initial?: string;
  description?: string;
  required?: boolean;
  show?: Show;
  /** Its change does not change where the secrets go: they stay without being sent again. */
  keepsSecrets?: true;
}

const rest = ({ description, required, show, keepsSecrets }: More): Partial<NodeProperty> => ({
  ...(description !== undefined && { description }),
  ...(required && { required }),
  ...(show && { displayOptions: { show } }),
  ...(keepsSecrets && { typeOptions: { keepsSecrets } }),
});

export function text(name: string, displayName: string, more: More = {}): NodeProperty {
  return { displayName, name, type: 'string', default: more.initial ?? '', ...rest(more) };
}

/** A text that is never shown. */
export function secret(name: string, displayName: string, more: More = {}): NodeProperty {
  return { ...text(name, displayName, more), typeOptions: { password: true } };
}

/** A secret of several lines: a key in PEM. */
export function secretBlock(name: string, displayName: string, more: More = {}): NodeProperty {
  return { ...text(name, displayName, more), typeOptions: { password: true, rows: 4 } };
}

/** JSON, as text or as an object. */
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

/** One of some values; the first is the default. */
export function choice(
  name: string,
  displayName: string,
  values: readonly (readonly [value: string, name: string])[],
  more: More = {},
): NodeProperty {
  const options = values.map(([value, label]) => ({ value, name: label }));
  return { displayName, name, type: 'options', default: more.initial ?? values[0]?.[0] ?? '', options, ...rest(more) };
}

/** The token that a service gave; kept by the service of ours, not written by people. */
export const oauthTokenData: NodeProperty = {
  displayName: 'Token',
  name: 'oauthTokenData',
  type: 'hidden',
  default: {},
  typeOptions: { password: true },
};

/** Where types without a service of their own can be tried out. */
export const testUrl: NodeProperty = text('testUrl', 'Test URL', {
  description: 'An address that answers 2xx to a GET with this credential and not without; a test of the credential asks it',
});

export const allowUnauthorizedCerts: NodeProperty = flag('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', {
  description: 'Whether any certificate is accepted. What is sent may then be read by others',
});

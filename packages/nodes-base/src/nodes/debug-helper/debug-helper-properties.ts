import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, between, choice, choices, number, text, where } from '../../shared/properties.ts';

export const defaultAlphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

const random = (types?: readonly string[]) => where({ category: ['randomData'], ...(types && { randomDataType: types }) });
const thrown = where({ category: ['throwError'] });

export const debugHelperProperties: readonly NodeProperty[] = [
  choice(
    'category',
    'Category',
    choices(
      ['doNothing', 'Do Nothing'],
      ['throwError', 'Throw Error', 'Fails with an error'],
      ['oom', 'Out Of Memory', 'Uses an amount of memory, within the limits of user code'],
      ['randomData', 'Generate Random Data', 'Outputs random items'],
    ),
    { default: 'throwError' },
  ),
  choice(
    'throwErrorType',
    'Error Type',
    choices(['NodeApiError', 'NodeApiError'], ['NodeOperationError', 'NodeOperationError'], ['Error', 'Error']),
    thrown,
  ),
  text('throwErrorMessage', 'Error Message', 'Error message', {
    default: 'the Debug Helper node failed as configured',
    ...thrown,
  }),
  atLeast(0, number('memorySizeValue', 'Memory Size to Generate', 10, 'In megabytes', where({ category: ['oom'] }))),
  choice(
    'randomDataType',
    'Data Type',
    choices(
      ['address', 'Address'],
      ['latLong', 'Coordinates'],
      ['creditCard', 'Credit Card'],
      ['email', 'Email'],
      ['ipv4', 'IPv4'],
      ['ipv6', 'IPv6'],
      ['macAddress', 'MAC'],
      ['nanoid', 'NanoIds'],
      ['url', 'URL'],
      ['user', 'User Data'],
      ['uuid', 'UUID'],
      ['semver', 'Version'],
    ),
    { default: 'user', ...random() },
  ),
  text('nanoidAlphabet', 'NanoId Alphabet', 'Alphabet of the IDs', {
    default: defaultAlphabet,
    ...random(['nanoid']),
  }),
  text('nanoidLength', 'NanoId Length', 'Length of each ID', { default: '16', ...random(['nanoid']) }),
  text('randomDataSeed', 'Seed', 'The same seed produces the same data; if blank, each run produces new data', random()),
  between(0, 10_000, number('randomDataCount', 'Number of Items to Generate', 10, 'At most 10,000', random())),
];

import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, number, toggle, where } from '@sluice/nodes-base/node-tools';

/** The usual parameters of a list, which `ServiceNode#limit` reads with the same default limit. */
export function listPropertiesOf(limit = 50, returnAll = false): readonly NodeProperty[] {
  return [
    toggle('returnAll', 'Return All', 'Whether to return all results instead of up to a limit', { default: returnAll }),
    atLeast(1, number('limit', 'Limit', limit, 'Most results', where({ returnAll: [false] }))),
  ];
}

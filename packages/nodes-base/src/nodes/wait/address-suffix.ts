import { NodeOperationError } from '@sluice/node-sdk';
import { type ParameterSource, textParameter } from '../../shared/parameters.ts';
import { withoutOuterSlashes } from '../../shared/slashes.ts';

/** What the address that is waited at ends with; may be empty. Throws a `NodeOperationError` for what no client could call: it would resolve the dots. */
export function addressSuffix(source: ParameterSource): string {
  const suffix = withoutOuterSlashes(textParameter(source, 'options.webhookSuffix', 0));
  const isCallable = suffix.split('/').every((segment) => segment !== '.' && segment !== '..');
  if (isCallable) return suffix;
  throw new NodeOperationError('the option "webhookSuffix" must not have "." or ".." between slashes', {
    description: 'For example approve, or orders/approve',
  });
}

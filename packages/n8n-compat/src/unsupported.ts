import { NodeOperationError } from '@sluice/node-sdk';

/**
 * Functions of another kind of service. Calling one throws; checking whether it exists does not.
 */
export function unsupportedFunctions(names: readonly string[], prefix: string): Record<string, () => never> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      () => {
        throw new NodeOperationError(`${prefix}${name} is not available to community packages`, {}, 'NOT_SUPPORTED');
      },
    ]),
  );
}

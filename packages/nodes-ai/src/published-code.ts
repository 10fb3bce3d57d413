import { registerHooks } from 'node:module';

/** Packages with sources under the export condition `source`, which Sluice uses in development. */
const packages = /^eventsource(-parser)?(\/|$)/;

/**
 * Has Node load the published code of packages that use our export condition for TypeScript, which
 * Node does not load from dependencies. For development only: a build does not set the condition.
 */
export function usePublishedCode(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      packages.test(specifier)
        ? next(specifier, { ...context, conditions: context.conditions.filter((condition) => condition !== 'source') })
        : next(specifier, context),
  });
}

import type { JsonObject } from '@sluice/domain';
import type { CredentialType, CredentialTypeDefinition } from './credential.ts';

/**
 * Adds everything that a type inherits through `extends`: properties that it does not define
 * itself, and functions (authentication, renewal, consent, test) that it lacks. If it has several
 * parents, the first takes precedence.
 *
 * `complete` and `problemOf` are combined, because the type also has the parents' fields: the
 * type's own `complete` runs last, its own `problemOf` first. Throws `TypeError` for an unknown
 * parent.
 */
export function inheritCredentialTypes(
  definition: CredentialTypeDefinition,
  find: (name: string) => CredentialType | undefined,
): CredentialTypeDefinition {
  return (definition.extends ?? []).reduce(
    (type, name) => inherit(type, parentOf(definition.name, find(name), name)),
    definition,
  );
}

function parentOf(name: string, parent: CredentialType | undefined, parentName: string): CredentialType {
  if (parent) return parent;
  throw new TypeError(`credential type ${name} extends ${parentName}, which does not exist`);
}

function inherit(type: CredentialTypeDefinition, parent: CredentialType): CredentialTypeDefinition {
  const { authenticate, answerChallenge, hosts, renewal, consent, revocation, test } = parent;
  const names = new Set(type.properties.map(({ name }) => name));
  const authenticates = type.authenticate !== undefined || type.answerChallenge !== undefined;
  return {
    ...(!authenticates && authenticate && { authenticate }),
    ...(!authenticates && answerChallenge && { answerChallenge }),
    ...(hosts && { hosts }),
    ...(!type.preAuthentication && renewal && { renewal }),
    ...(consent && { consent }),
    ...(revocation && { revocation }),
    ...(test && { test }),
    ...type,
    ...bothComplete(type, parent),
    ...bothRefuse(type, parent),
    properties: [...parent.properties.filter(({ name }) => !names.has(name)), ...type.properties],
  };
}

function bothComplete(type: CredentialTypeDefinition, parent: CredentialType): Pick<CredentialTypeDefinition, 'complete'> {
  const complete = inTurn(parent.complete, type.complete);
  return complete ? { complete } : {};
}

function inTurn(first: CredentialTypeDefinition['complete'], then: CredentialTypeDefinition['complete']): typeof first {
  return first && then ? (data: JsonObject) => then(first(data)) : (then ?? first);
}

function bothRefuse(type: CredentialTypeDefinition, parent: CredentialType): Pick<CredentialTypeDefinition, 'problemOf'> {
  if (!type.problemOf && !parent.problemOf) return {};
  return { problemOf: (data: JsonObject) => type.problemOf?.(data) ?? parent.problemOf?.(data) };
}

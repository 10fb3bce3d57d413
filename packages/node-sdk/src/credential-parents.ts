import type { CredentialType, CredentialTypeSource } from './credential.ts';

/**
 * The source with what it takes over from the types that it `extends`: their properties, but those of its own names, and each ability (authentication,
 * renewal, consent, test) that it does not have itself; of several parents the first counts. Throws `TypeError` for a parent that is not there.
 */
export function inheritCredentialTypes(
  source: CredentialTypeSource,
  find: (name: string) => CredentialType | undefined,
): CredentialTypeSource {
  return (source.extends ?? []).reduce((type, name) => inherit(type, parentOf(source.name, find(name), name)), source);
}

function parentOf(name: string, parent: CredentialType | undefined, parentName: string): CredentialType {
  if (parent) return parent;
  throw new TypeError(`credential type ${name} extends ${parentName}, which does not exist`);
}

function inherit(type: CredentialTypeSource, parent: CredentialType): CredentialTypeSource {
  const { authenticate, answerChallenge, renewal, consent, test } = parent;
  const own = new Set(type.properties.map(({ name }) => name));
  const authenticates = type.authenticate !== undefined || type.answerChallenge !== undefined;
  return {
    ...(!authenticates && authenticate && { authenticate }),
    ...(!authenticates && answerChallenge && { answerChallenge }),
    ...(!type.preAuthentication && renewal && { renewal }),
    ...(consent && { consent }),
    ...(test && { test }),
    ...type,
    properties: [...parent.properties.filter(({ name }) => !own.has(name)), ...type.properties],
  };
}

import type { CredentialTypeSource } from './credential.ts';
import type { NodeType } from './node-type.ts';

/** Members that the loader reads, which may come from the class of an instance. */
const nodeMembers = [
  'description',
  'unsupported',
  'outputs',
  'execute',
  'resume',
  'supply',
  'triggers',
  'versions',
  'poll',
  'trigger',
  'webhook',
  'methods',
  'webhookMethods',
] as const satisfies readonly (keyof NodeType)[];

const credentialMembers = [
  'name',
  'displayName',
  'documentation',
  'extends',
  'properties',
  'authenticate',
  'answerChallenge',
  'hosts',
  'renewal',
  'preAuthentication',
  'consent',
  'revocation',
  'complete',
  'ownApiField',
  'ownApiKeyField',
  'problemOf',
  'test',
] as const satisfies readonly (keyof CredentialTypeSource)[];

/**
 * Converts a checked node type to a plain object that can be copied member by member: methods of a
 * class instance are bound to it. Fills in optional parts of the description.
 */
export function plainNodeType(type: NodeType): NodeType {
  const { versions, ...plain } = plainMembers(type, nodeMembers);
  const inner = Object.entries(versions ?? {}).map(([version, one]) => [version, plainNodeType(one)] as const);
  return {
    ...plain,
    description: fullDescription(plain.description),
    ...(versions && { versions: Object.fromEntries(inner) }),
  };
}

/** As `plainNodeType`, for the source of a credential type. */
export function plainCredentialType(source: CredentialTypeSource): CredentialTypeSource {
  return plainMembers(source, credentialMembers);
}

function plainMembers<T extends object>(type: T, members: readonly (keyof T)[]): T {
  const prototype: unknown = Object.getPrototypeOf(type);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return { ...type };
  const found = members.map((name) => [name, type[name]] as const).filter(([, member]) => member !== undefined);
  return Object.fromEntries(found.map(([name, member]) => [name, bound(member, type)])) as T;
}

function bound(member: unknown, owner: object): unknown {
  return typeof member === 'function' ? member.bind(owner) : member;
}

/** The contract requires neither a description text nor a default node name. */
function fullDescription(written: NodeType['description']): NodeType['description'] {
  const { displayName, description, defaults }: Partial<NodeType['description']> = written;
  return { ...written, description: description ?? '', defaults: defaults ?? { name: displayName ?? '' } };
}

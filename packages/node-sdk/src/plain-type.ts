import type { CredentialTypeSource } from './credential.ts';
import type { NodeType } from './node-type.ts';

/** What the loader reads of a type: members that an instance may have from its class. */
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
  'renewal',
  'preAuthentication',
  'consent',
  'complete',
  'problemOf',
  'test',
] as const satisfies readonly (keyof CredentialTypeSource)[];

/**
 * A node type that was checked, as a plain object that may be copied member by member: of an instance of a class, functions are bound to it. What a
 * description may leave out is filled in.
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

/** The same for the source of a credential type. */
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

/** The contract asks for neither a text about the type nor a name for its nodes. */
function fullDescription(given: NodeType['description']): NodeType['description'] {
  const { displayName, description, defaults }: Partial<NodeType['description']> = given;
  return { ...given, description: description ?? '', defaults: defaults ?? { name: displayName ?? '' } };
}

import type { CredentialTypeSource } from './credentials/credential.ts';
import type { NodeType } from './node-type.ts';

/** All members that the loader reads: a class instance may inherit them from its class. */
const nodeMembers = membersOf<NodeType>({
  description: true,
  unsupported: true,
  outputs: true,
  execute: true,
  resume: true,
  supply: true,
  asTool: true,
  triggers: true,
  versions: true,
  poll: true,
  trigger: true,
  webhook: true,
  methods: true,
  webhookMethods: true,
});

const credentialMembers = membersOf<CredentialTypeSource>({
  name: true,
  displayName: true,
  documentation: true,
  extends: true,
  properties: true,
  authenticate: true,
  answerChallenge: true,
  hosts: true,
  renewal: true,
  preAuthentication: true,
  consent: true,
  revocation: true,
  complete: true,
  ownApiField: true,
  ownApiKeyField: true,
  problemOf: true,
  test: true,
});

/**
 * Converts a checked node type to a plain object that can be copied member by member: a class
 * instance's methods are bound to it. Fills in optional parts of the description.
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

/** Same as `plainNodeType`, for the source of a credential type. */
export function plainCredentialType(source: CredentialTypeSource): CredentialTypeSource {
  return plainMembers(source, credentialMembers);
}

/** Makes an incomplete list a compile-time error. */
function membersOf<T>(members: Record<keyof T, true>): (keyof T)[] {
  return Object.keys(members) as (keyof T)[];
}

function plainMembers<T extends object>(type: T, members: readonly (keyof T)[]): T {
  const prototype: unknown = Object.getPrototypeOf(type);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return { ...type };
  const entries = members.map((name) => [name, type[name]] as const).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, bound(member, type)])) as T;
}

function bound(member: unknown, owner: object): unknown {
  return typeof member === 'function' ? member.bind(owner) : member;
}

/** The contract requires neither a description text nor a default node name. */
function fullDescription(written: NodeType['description']): NodeType['description'] {
  const { displayName, description, defaults }: Partial<NodeType['description']> = written;
  return { ...written, description: description ?? '', defaults: defaults ?? { name: displayName ?? '' } };
}

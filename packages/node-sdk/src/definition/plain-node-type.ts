import type { NodeType } from '../node-type.ts';
import { membersOf, plainMembers } from './plain-members.ts';

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

/** The contract requires neither a description text nor a default node name. */
function fullDescription(written: NodeType['description']): NodeType['description'] {
  const { displayName, description, defaults }: Partial<NodeType['description']> = written;
  return { ...written, description: description ?? '', defaults: defaults ?? { name: displayName ?? '' } };
}

/** Makes an incomplete list a compile-time error. */
export function membersOf<T>(members: Record<keyof T, true>): (keyof T)[] {
  return Object.keys(members) as (keyof T)[];
}

/**
 * An object without a prototype chain as a plain copy. A class instance becomes an object with the
 * given members, its methods bound to the instance.
 */
export function plainMembers<T extends object>(type: T, members: readonly (keyof T)[]): T {
  const prototype: unknown = Object.getPrototypeOf(type);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return { ...type };
  const entries = members.map((name) => [name, type[name]] as const).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, bound(member, type)])) as T;
}

function bound(member: unknown, owner: object): unknown {
  return typeof member === 'function' ? member.bind(owner) : member;
}

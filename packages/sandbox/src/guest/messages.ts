/* Messages that the host and the guest have in common. */

/** The complete message if the guest's memory is exhausted. */
export const outOfMemory = 'out of memory';

export const functionWithoutCall = 'this is a function: add () to call it';

export function unknownNode(name: string): string {
  return `there is no node "${name}" in this workflow`;
}

export function notExecuted(name: string): string {
  return `node "${name}" has not run`;
}

export function refusal(name: string): string {
  return `access to "${name}" is not allowed in expressions`;
}
